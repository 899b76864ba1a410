import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { ConfigError } from '../model/errors.js';

/**
 * The connections of this process to the outside, by way of the proxy that the environment names (`https_proxy`,
 * `http_proxy`, `no_proxy`, lower case first, as curl has it). undici's own limits of 300 s for headers and between
 * two pieces of the body are off, since an answer that is not streamed may take longer; whoever sends keeps a timer.
 *
 * Throws ConfigError when the environment names a proxy that is not an http or https URL.
 */
export function dispatcherFor(env: Readonly<Record<string, string | undefined>>): Dispatcher {
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const httpProxy = proxyIn(env, 'http_proxy');
  const httpsProxy = proxyIn(env, 'https_proxy');
  if (httpProxy === '' && httpsProxy === '') return new Agent(limits);
  // Empty strings rather than undefined: undici would look into the real environment.
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return new EnvHttpProxyAgent({ ...limits, httpProxy, httpsProxy, noProxy });
}

function proxyIn(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = (env[name] || env[name.toUpperCase()] || '').trim();
  if (value === '') return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ConfigError([
    {
      where: name,
      what: `The environment variable ${name} does not hold the URL of an http or https proxy.`,
      fix: `Set ${name} to something like http://proxy.example:3128, or unset it.`,
    },
  ]);
}
