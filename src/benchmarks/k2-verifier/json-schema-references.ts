import { type JsonNode, member } from '../../text/json-text.js';
import { type Dialect, dialectNamed, isLegacy } from './json-schema-dialects.js';

/** Keywords whose value is a schema, a list of schemas, or schemas by name, in any dialect. */
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_MAPS = [
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
];
const SCHEMA_VALUES = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** A schema and where it stands. */
export interface Located {
  readonly node: JsonNode;
  /** URI that references inside are resolved against; empty without an id. */
  readonly base: string;
  readonly dialect: Dialect;
}

function stringMember(node: JsonNode, key: string): string | null {
  const value = member(node, key);
  return value?.type === 'string' ? value.value : null;
}

/** Where a schema's own dialect and id lead, seen from the schema around it. */
export function locate(node: JsonNode, around: Omit<Located, 'node'>): Located {
  const dialect = dialectNamed(stringMember(node, '$schema') ?? '') ?? around.dialect;
  const id = stringMember(node, dialect === 'draft4' ? 'id' : '$id');
  // Up to draft 7 an id beside $ref counts for nothing, and `#name` is an anchor, not an id.
  const counts =
    id !== null && !(isLegacy(dialect) && (member(node, '$ref') || id.startsWith('#')));
  return { node, dialect, base: counts ? joined(around.base, id.replace(/#$/, '')) : around.base };
}

/** Resolves a URI reference; a base that is no absolute URI is replaced as a whole. */
function joined(base: string, reference: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference === '' ? base : reference;
  }
}

function anchorsOf({ node, dialect }: Located): string[] {
  if (isLegacy(dialect)) {
    const id = stringMember(node, dialect === 'draft4' ? 'id' : '$id');
    return id?.startsWith('#') ? [id.slice(1)] : [];
  }
  return ['$anchor', '$dynamicAnchor'].flatMap((key) => stringMember(node, key) ?? []);
}

function subschemas(node: JsonNode): JsonNode[] {
  const values = SCHEMA_VALUES.flatMap((key) => member(node, key) ?? []);
  const lists = SCHEMA_LISTS.flatMap((key) => member(node, key) ?? []);
  const maps = SCHEMA_MAPS.flatMap((key) => member(node, key) ?? []);
  return [
    ...[...values, ...lists].flatMap((value) => (value.type === 'array' ? value.items : value)),
    ...maps.flatMap((value) => (value.type === 'object' ? value.members.map((m) => m.value) : [])),
  ];
}

/**
 * Finds what `$ref` names inside one schema document, by the rules of Python's `referencing`: by URI, by anchor, or by
 * JSON pointer to any place, keyword or not. Nothing is fetched.
 */
export class References {
  readonly root: Located;
  private readonly resources = new Map<string, Located>();
  private readonly anchors = new Map<string, Located>();

  constructor(root: JsonNode, dialect: Dialect) {
    this.root = locate(root, { base: '', dialect });
  }

  private collect(schema: Located): void {
    if (schema.node.type !== 'object') return;
    if (schema.base !== '' && !this.resources.has(schema.base)) {
      this.resources.set(schema.base, schema);
    }
    for (const name of anchorsOf(schema)) this.anchors.set(`${schema.base}#${name}`, schema);
    for (const node of subschemas(schema.node)) this.collect(locate(node, schema));
  }

  /** The schema that a reference inside `from` names; null when there is none in this document. */
  resolve(reference: string, from: Located): Located | null {
    if (this.resources.size === 0) {
      // Put off to here, for most schemas have no references.
      this.resources.set(this.root.base, this.root);
      this.collect(this.root);
    }
    const hash = reference.indexOf('#');
    const uri = hash < 0 ? reference : reference.slice(0, hash);
    const base = uri === '' ? from.base : joined(from.base, uri);
    const fragment = hash < 0 ? '' : decoded(reference.slice(hash + 1));
    const resource = this.resources.get(base);
    if (resource === undefined || fragment === null) return null;
    if (fragment === '') return resource;
    if (!fragment.startsWith('/')) return this.anchors.get(`${base}#${fragment}`) ?? null;
    return pointedTo(resource, fragment);
  }
}

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return null;
  }
}

function pointedTo(resource: Located, pointer: string): Located | null {
  let at: Located = resource;
  for (const raw of pointer.slice(1).split('/')) {
    const segment = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    const next =
      at.node.type === 'array' && /^[0-9]+$/.test(segment)
        ? at.node.items[Number(segment)]
        : member(at.node, segment);
    if (next === undefined) return null;
    at = locate(next, at);
  }
  return at;
}
