// node --import ./scripts/json-hook.mjs: Node 20 imports JSON only with an attribute, which @actions/languageservice
// leaves out.
import { register } from 'node:module';

const hook = `export const load = (url, context, next) =>
  next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
