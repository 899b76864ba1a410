import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

export type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

/** One method of one path of the description. */
export interface Operation {
  readonly id: string;
  /** JSON pointer to it. */
  readonly at: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly required: boolean } | null;
  readonly statuses: readonly string[];
}

/** Checks requests and replies against an OpenAPI 3.0 description, and makes objects that are valid under it. */
export class OpenApi {
  readonly operations: readonly Operation[];
  readonly #doc: Json;
  /** Bodies and replies are JSON: types count. Paths and queries are text: types are coerced. */
  readonly #json: Ajv;
  readonly #text: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(file: string) {
    this.#doc = JSON.parse(readFileSync(file, 'utf8')) as Json;
    const options = { strict: false, allErrors: true, validateFormats: true };
    this.#json = new Ajv(options);
    this.#text = new Ajv({ ...options, coerceTypes: true });
    for (const ajv of [this.#json, this.#text]) {
      addFormats.default(ajv);
      ajv.addSchema(this.#doc, 'description');
    }
    this.operations = this.#read();
  }

  /** The operation a request is for, with the values of its path; null when the description has none. */
  match(
    method: string,
    path: string,
  ): { operation: Operation; params: Record<string, string> } | null {
    for (const operation of this.operations) {
      const found = operation.method === method ? operation.pattern.exec(path) : null;
      if (!found) continue;
      const values = operation.names.map((name, i) => [
        name,
        decodeURIComponent(found[i + 1] ?? ''),
      ]);
      return { operation, params: Object.fromEntries(values) as Record<string, string> };
    }
    return null;
  }

  /** What is wrong with a request; body keys that the schema does not name count as wrong. */
  checkRequest(operation: Operation, params: Json, query: Json, body: unknown): string[] {
    const problems = (['path', 'query'] as const).flatMap((where) => {
      const own = operation.parameters.filter((parameter) => parameter.in === where);
      return this.#check(
        `${operation.id} ${where}`,
        { ...(where === 'path' ? params : query) },
        this.#text,
        () => ({
          type: 'object',
          additionalProperties: false,
          required: own.filter(({ required }) => required).map(({ name }) => name),
          properties: Object.fromEntries(own.map(({ name, schema }) => [name, absolute(schema)])),
        }),
      );
    });
    if (!operation.body)
      return body === undefined ? problems : [...problems, 'a body where none belongs'];
    if (body === undefined) return operation.body.required ? [...problems, 'no body'] : problems;
    const { schema } = operation.body;
    return [
      ...problems,
      ...this.#check(`${operation.id} body`, body, this.#json, () => this.#closed(schema)),
    ];
  }

  /**
   * What is wrong with a reply. A status that the description leaves out may only be an error, with GitHub's usual
   * error object: it lists no 403 for some operations that do answer so.
   */
  checkReply(operation: Operation, status: number, body: unknown): string[] {
    if (!operation.statuses.includes(String(status))) {
      if (status < 400) return [`status ${status} is not described`];
      return this.#check('basic-error', body, this.#json, () =>
        reference('/components/schemas/basic-error'),
      );
    }
    const response = this.#resolve(this.#find(`${operation.at}/responses/${status}`) as Json);
    const content = response['content'] as Json | undefined;
    if (!content) return body === undefined ? [] : [`status ${status} has no body`];
    const { schema } = content['application/json'] as { schema: Json };
    return this.#check(
      `${operation.id} ${status}`,
      body,
      this.#json,
      () => absolute(schema) as Json,
    );
  }

  /** An object with everything `schema` requires, and `known` laid over it. */
  sample(schema: string, known: Json): Json {
    const whole = this.#resolve({ $ref: `#/components/schemas/${schema}` });
    return merge(this.#example({ ...whole, nullable: false }), known) as Json;
  }

  #read(): Operation[] {
    return Object.entries(this.#doc['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'parameters')
        .map(([method, value]) => {
          const operation = value as Json;
          const names: string[] = [];
          const pattern = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
            names.push(name);
            return '([^/]+)';
          });
          const body = operation['requestBody'] as
            | { required?: boolean; content: Json }
            | undefined;
          const shared = (methods['parameters'] ?? []) as Json[];
          const own = (operation['parameters'] ?? []) as Json[];
          return {
            id: String(operation['operationId']),
            at: `/paths/${escaped(path)}/${method}`,
            method: method.toUpperCase(),
            pattern: new RegExp(`^${pattern}$`),
            names,
            parameters: [...shared, ...own].map((p) => this.#resolve(p) as unknown as Parameter),
            body: body && {
              schema: (body.content['application/json'] as { schema: Json }).schema,
              required: body.required === true,
            },
            statuses: Object.keys(operation['responses'] as Json),
          } as Operation;
        }),
    );
  }

  #check(key: string, value: unknown, ajv: Ajv, schema: () => Json): string[] {
    let validate = this.#compiled.get(key);
    if (!validate) {
      validate = ajv.compile(schema());
      this.#compiled.set(key, validate);
    }
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${key}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  #find(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((now, part) => (now as Json)[part], this.#doc);
  }

  #resolve(schema: Json): Json {
    const ref = schema['$ref'];
    return typeof ref === 'string' ? this.#resolve(this.#find(ref.slice(1)) as Json) : schema;
  }

  /** The schema with objects closed to keys they do not name, unless it opens them itself. */
  #closed(schema: Json): Json {
    const open = this.#resolve(schema);
    const closed: Json = { ...open };
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      if (Array.isArray(open[key])) closed[key] = open[key].map((part: Json) => this.#closed(part));
    if (open['items']) closed['items'] = this.#closed(open['items'] as Json);
    if (open['properties']) {
      const properties = Object.entries(open['properties'] as Record<string, Json>);
      closed['properties'] = Object.fromEntries(properties.map(([k, v]) => [k, this.#closed(v)]));
      closed['additionalProperties'] ??= false;
    }
    return closed;
  }

  #example(schema: Json): unknown {
    const is = this.#resolve(schema);
    const choice = (is['oneOf'] ?? is['anyOf'] ?? is['allOf']) as Json[] | undefined;
    if (is['nullable']) return null;
    if (Array.isArray(is['enum'])) return is['enum'][0];
    if (choice && !is['properties']) return this.#example(choice[0] ?? {});
    switch (is['type']) {
      case 'array':
        return [];
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return 1;
      case 'string':
        return EXAMPLES[String(is['format'])] ?? '';
      default: {
        const properties = (is['properties'] ?? {}) as Record<string, Json>;
        const required = (is['required'] ?? []) as string[];
        return Object.fromEntries(
          required.map((key) => [key, this.#example(properties[key] ?? {})]),
        );
      }
    }
  }
}

const EXAMPLES: Record<string, string> = {
  uri: 'https://github.test/',
  'date-time': '2026-01-01T00:00:00Z',
};

function reference(pointer: string): Json {
  return { $ref: `description#${pointer}` };
}

/** References count from the document; compiled apart from it they need its name. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' ? [key, `description${String(value)}`] : [key, absolute(value)],
    ),
  );
}

function merge(under: unknown, over: unknown): unknown {
  if (!isObject(over)) return over;
  const base = isObject(under) ? under : {};
  const merged = Object.entries(over).map(([key, value]) => [key, merge(base[key], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
