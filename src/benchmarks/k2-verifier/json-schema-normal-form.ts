import type { JsonNode } from '../../text/json-text.js';
import { checksOf, metaschemaCheck } from './json-schema-checks.js';
import {
  type Dialect,
  dialectNamed,
  isLegacy,
  isSince,
  patternFault,
} from './json-schema-dialects.js';
import { type Located, locate, type References } from './json-schema-references.js';
import {
  listOf,
  Malformed,
  type Members,
  membersOf,
  numberOf,
  textOf,
} from './json-schema-shapes.js';

/** A schema as ajv is given it, see Rewriter. */
type NormalSchema = boolean | { [keyword: string]: unknown };

export interface NormalForm {
  readonly schema: { [keyword: string]: unknown };
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occur; they forbid ajv to stop at the first match. */
  readonly unevaluated: boolean;
}

/** What stands for a subschema that cannot be evaluated: fatal when a value reaches it, as in Python, not before. */
export interface Trap {
  readonly reason: 'unresolvable_ref' | 'invalid_schema';
  readonly message: string;
}

type Kind = 'schema' | 'schemas' | 'schema map' | 'pattern map' | 'size';

/** Keywords that ajv evaluates, and the first dialect that knows them. */
const KEYWORDS: ReadonlyMap<string, readonly [Kind, Dialect]> = new Map([
  ['additionalProperties', ['schema', 'draft4']],
  ['allOf', ['schemas', 'draft4']],
  ['anyOf', ['schemas', 'draft4']],
  ['contains', ['schema', 'draft6']],
  ['dependentSchemas', ['schema map', '2019-09']],
  ['else', ['schema', 'draft7']],
  ['if', ['schema', 'draft7']],
  ['maxContains', ['size', '2019-09']],
  ['maxItems', ['size', 'draft4']],
  ['maxLength', ['size', 'draft4']],
  ['maxProperties', ['size', 'draft4']],
  ['minContains', ['size', '2019-09']],
  ['minItems', ['size', 'draft4']],
  ['minLength', ['size', 'draft4']],
  ['minProperties', ['size', 'draft4']],
  ['not', ['schema', 'draft4']],
  ['oneOf', ['schemas', 'draft4']],
  ['patternProperties', ['pattern map', 'draft4']],
  ['properties', ['schema map', 'draft4']],
  ['propertyNames', ['schema', 'draft6']],
  ['then', ['schema', 'draft7']],
  ['unevaluatedItems', ['schema', '2019-09']],
  ['unevaluatedProperties', ['schema', '2019-09']],
]);

/** ajv leaves a property of this name out of `properties`; as a pattern it is like any other. */
const PROTO = '__proto__';
const PROTO_PATTERN = '\\A__proto__\\Z';

/**
 * Rewrites a schema document of any dialect into one form that ajv's 2020-12 build judges as Python's jsonschema judges
 * the original:
 *
 * - Only keywords that the dialect knows in Python are left: unknown ones, OpenAPI's `nullable`, `format`, annotations
 *   and ajv's own extensions have no effect, and nothing in them can make ajv refuse the schema.
 * - What looks at a value and not into it (`type`, `enum`, bounds, `pattern`, `required`, ...) becomes a list of
 *   functions under `check`: ajv's own lose digits, trip over members called `valueOf` or nothing at all, and know
 *   other regular expressions.
 * - References are resolved beforehand to `#/$defs/N`. One that leads nowhere becomes a `trap`.
 * - Older keywords become their successors: `items` as a list, `additionalItems`, `dependencies`, boolean
 *   `exclusiveMinimum`; up to draft 7 the siblings of `$ref` are dropped.
 *
 * Limits, all far from what tools are described with: `$dynamicRef` and `$recursiveRef` are resolved without the
 * dynamic scope (the same within one resource); a reference into a metaschema leads nowhere; `unevaluatedItems` and
 * `unevaluatedProperties` beside `if`, `contains` or alternatives follow ajv; sizes of draft 4 written as floats
 * (`minLength: 1.0`) are legal.
 */
class Rewriter {
  private readonly names = new Map<JsonNode, string>();
  private readonly pending: [name: string, schema: Located][] = [];
  private unevaluated = false;

  constructor(private readonly references: References) {}

  document(): NormalForm {
    const $defs: Record<string, NormalSchema> = {};
    const { $ref } = this.reference(this.references.root);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      const [name, schema] = next;
      $defs[name] = this.schema(schema);
    }
    return { schema: { $ref, $defs }, unevaluated: this.unevaluated };
  }

  private reference(target: Located): { $ref: string } {
    let name = this.names.get(target.node);
    if (name === undefined) {
      name = String(this.names.size);
      this.names.set(target.node, name);
      this.pending.push([name, target]);
    }
    return { $ref: `#/$defs/${name}` };
  }

  private schema(schema: Located): NormalSchema {
    const { node } = schema;
    if (node.type === 'literal' && node.value !== null) return node.value;
    try {
      return this.object(membersOf(node), schema);
    } catch (error) {
      // RangeError: the stack. Everything else is about this subschema.
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      const trap: Trap = { reason: 'invalid_schema', message: error.message };
      return { trap };
    }
  }

  private inside(node: JsonNode, around: Located): NormalSchema {
    return this.schema(locate(node, around));
  }

  private object(members: Members, at: Located): NormalSchema {
    const { dialect } = at;
    const $ref = members.get('$ref');
    // An empty `check` counts the steps of a recursion.
    if ($ref && isLegacy(dialect)) return { check: [], ...this.referenceTo($ref, at) };
    const out: { [keyword: string]: unknown } = { check: checksOf(members, dialect) };
    for (const [keyword, node] of members) {
      const known = KEYWORDS.get(keyword);
      if (known === undefined || !isSince(known[1], dialect)) continue;
      out[keyword] = this.value(known[0], node, at);
      if (keyword.startsWith('unevaluated')) this.unevaluated = true;
    }
    this.items(members, at, out);
    this.references2019(members, at, out);
    const dependencies = isLegacy(dialect) ? members.get('dependencies') : undefined;
    if (dependencies) out['dependentSchemas'] = this.map(dependencies, at, isNoList);
    this.proto(members.get('properties'), at, out);
    // ajv does not look at an `if` that decides nothing. Python does, and may find a reference that leads nowhere.
    if ('if' in out && !('then' in out) && !('else' in out)) out['then'] = { not: false };
    return out;
  }

  /** From 2019-09 on references stand beside other keywords, and there are two kinds of them. */
  private references2019(members: Members, at: Located, out: Record<string, unknown>): void {
    if (isLegacy(at.dialect)) return;
    const names = ['$ref', at.dialect === '2019-09' ? '$recursiveRef' : '$dynamicRef'];
    const nodes = names.flatMap((name) => members.get(name) ?? []);
    if (nodes.length > 0)
      joinAll(
        out,
        nodes.map((node) => this.referenceTo(node, at)),
      );
  }

  private referenceTo(node: JsonNode, from: Located): { [keyword: string]: unknown } {
    const name = textOf(node);
    const target = this.references.resolve(name, from);
    if (target !== null) return this.reference(target);
    const metaschema = dialectNamed(name);
    if (metaschema !== null) return { check: [metaschemaCheck(metaschema)] };
    return { trap: { reason: 'unresolvable_ref', message: `the reference ${name} leads nowhere` } };
  }

  private value(kind: Kind, node: JsonNode, at: Located): unknown {
    switch (kind) {
      case 'schema':
        return this.inside(node, at);
      case 'schemas':
        return listOf(node).map((item) => this.inside(item, at));
      case 'pattern map':
        return this.patterns(node, at);
      case 'schema map':
        return this.map(node, at);
      case 'size':
        return Number(numberOf(node));
    }
  }

  private map(
    node: JsonNode,
    at: Located,
    isWanted: (value: JsonNode) => boolean = () => true,
  ): Record<string, NormalSchema> {
    const out = Object.create(null) as Record<string, NormalSchema>;
    for (const [key, value] of membersOf(node))
      if (isWanted(value)) out[key] = this.inside(value, at);
    return out;
  }

  /** Draft 4 lets patterns pass that do not compile; they are fatal as soon as there is a member to try them on. */
  private patterns(node: JsonNode, at: Located): Record<string, NormalSchema> {
    const out = this.map(node, at);
    for (const pattern of Object.keys(out)) {
      const fault = patternFault(pattern);
      if (fault === null) continue;
      delete out[pattern];
      const trap: Trap = { reason: 'invalid_schema', message: fault };
      out[''] = { trap };
    }
    return out;
  }

  private proto(properties: JsonNode | undefined, at: Located, out: Record<string, unknown>): void {
    const schema = properties && membersOf(properties).get(PROTO);
    if (schema === undefined) return;
    const patterns = Object.create(null) as Record<string, unknown>;
    Object.assign(patterns, out['patternProperties']);
    patterns[PROTO_PATTERN] = this.inside(schema, at);
    out['patternProperties'] = patterns;
  }

  /**
   * Up to 2019-09 a list under `items` is what became prefixItems, and then additionalItems says what may follow. Both
   * stand in a part of their own: after prefixItems, ajv skips the other keywords when the array is shorter.
   */
  private items(members: Members, at: Located, out: Record<string, unknown>): void {
    const items = members.get('items');
    const isList = items?.type === 'array';
    if (isList && isSince('2020-12', at.dialect)) throw new Malformed('items is a list');
    const prefix = isSince('2020-12', at.dialect) ? members.get('prefixItems') : isList && items;
    const rest = isList ? members.get('additionalItems') : items;
    const part = {
      ...(prefix && { prefixItems: listOf(prefix).map((item) => this.inside(item, at)) }),
      ...(rest && { items: this.inside(rest, at) }),
    };
    if (prefix) joinAll(out, [part]);
    else Object.assign(out, part);
  }
}

/** Adds schemas that must hold too. */
function joinAll(out: Record<string, unknown>, schemas: readonly NormalSchema[]): void {
  const all = out['allOf'];
  out['allOf'] = [...(Array.isArray(all) ? all : []), ...schemas];
}

function isNoList(node: JsonNode): boolean {
  return node.type !== 'array';
}

/**
 * The document in normal form; see Rewriter.
 * @throws RangeError when the schema is nested too deeply for the stack.
 */
export function normalForm(references: References): NormalForm {
  return new Rewriter(references).document();
}
