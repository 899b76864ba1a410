/**
 * Writes what follows from the table of inputs: action.yml, docs/config.schema.json and the tables in README.md. Pure;
 * `UPDATE_DOCS=1 npm test -- __tests__/project/docs` calls it and stores the files, and the same test without the
 * variable fails when one of them differs.
 */
import { Document, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { defaultOf } from '../../src/config/help.js';
import { GROUPS, INPUTS, type Input, type Kind, OUTPUTS } from '../../src/config/inputs.js';
import type { BenchmarkSpec } from '../../src/model/benchmark.js';

const HEAD = ` Written by __tests__/support/generate-docs.ts from src/config/inputs.ts; do not edit by hand.
 Inputs have no \`default:\` here: the runner would pass it on as if the workflow had set it, and an input of the
 workflow beats the config file. The defaults stand in the descriptions.`;

/** The text of action.yml. */
export function actionYml(): string {
  const document = new Document({
    name: 'Vendor Gate',
    description:
      'Does this OpenAI-compatible deployment call tools like the official model? A status check, with evidence.',
    author: 'Vendor Gate',
    branding: { icon: 'shield', color: 'green' },
    inputs: Object.fromEntries(INPUTS.map((input) => [input.name, inputOf(input)])),
    outputs: Object.fromEntries(OUTPUTS.map(({ name, description }) => [name, { description }])),
    runs: { using: 'node24', main: 'dist/index.js' },
  });
  document.commentBefore = HEAD;
  const inputs = document.get('inputs') as YAMLMap;
  for (const [group, title] of Object.entries(GROUPS)) {
    const first = INPUTS.find((input) => input.group === group)?.name;
    const key = inputs.items.find(({ key }) => isScalar(key) && key.value === first)?.key;
    if (isScalar(key)) key.commentBefore = ` ${title}`;
  }
  return document.toString({ lineWidth: 100 });
}

/** Said of the inputs without which nothing can be measured. */
const NEEDED = 'Required but in mode merge.';

function inputOf(input: Input): Record<string, unknown> {
  const real = input.name === 'github-token';
  return {
    description: [
      input.description,
      bounds(input.kind),
      input.required ? NEEDED : real ? '' : defaultOf(input),
    ]
      .filter(Boolean)
      .join(' '),
    // The runner and editors would ask for them in mode merge too; the action itself says when one is missing.
    required: false,
    ...(real ? { default: input.default } : {}),
  };
}

/** What a kind allows beyond what its name says; empty when nothing is worth saying. */
function bounds(kind: Kind): string {
  switch (kind.type) {
    case 'choice':
      return `One of ${kind.values.join(', ')}.`;
    case 'integer':
    case 'number':
      return kind.max > 1_000_000 && kind.min > 0 ? '' : `From ${kind.min} to ${kind.max}.`;
    case 'duration':
      return `At most ${kind.maxHours}h.`;
    default:
      return '';
  }
}

/** README.md with the tables between its markers written anew from action.yml. Throws when a marker is missing. */
export function withTables(readme: string, action: string): string {
  const document = parseDocument(action);
  const inputs = document.get('inputs') as YAMLMap;
  const outputs = document.get('outputs') as YAMLMap;
  const filled = between(readme, 'inputs', inputsTable(inputs));
  return between(filled, 'outputs', outputsTable(outputs));
}

function between(text: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md lacks the markers ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

function inputsTable(inputs: YAMLMap): string {
  const lines = ['| input | default | what it does |', '|---|---|---|'];
  for (const { key, value } of inputs.items) {
    if (!isScalar(key)) continue;
    const title = titleOf(inputs, key);
    if (title !== '') lines.push(`| **${title}** | | |`);
    const row = (value as YAMLMap).toJSON() as { description: string; default?: string };
    const required = row.description.endsWith(NEEDED);
    const [, about = '', otherwise = ''] =
      /^(.*?)(?: Default: (.*)\.)?$/s.exec(row.description.replace(NEEDED, '').trim()) ?? [];
    const byDefault = required ? '**required**' : code(row.default ?? otherwise);
    lines.push(`| \`${String(key.value)}\` | ${cell(byDefault)} | ${cell(about)} |`);
  }
  return lines.join('\n');
}

/** The group's title stands in the comment before its first input; before the very first one it belongs to the map. */
function titleOf(inputs: YAMLMap, key: { commentBefore?: string | null }): string {
  const first = inputs.items[0]?.key === key ? inputs.commentBefore : undefined;
  return (key.commentBefore ?? first ?? '').trim();
}

/** A value as code; words about one, which hold a space and no expression, stay words. */
function code(value: string): string {
  const words = /^[a-z].* /i.test(value) && !value.includes('${{') && !/^fail, /.test(value);
  return words || value === 'none' ? value : `\`${value}\``;
}

function outputsTable(outputs: YAMLMap): string {
  const rows = outputs.toJSON() as Record<string, { description: string }>;
  const lines = Object.entries(rows).map(
    ([name, { description }]) => `| \`${name}\` | ${cell(description)} |`,
  );
  return ['| output | what it holds |', '|---|---|', ...lines].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** JSON Schema of the config file, with the options of every benchmark. */
export function configSchema(specs: readonly BenchmarkSpec[]): string {
  const inFile = INPUTS.filter(({ name }) => !['config', 'api-key', 'github-token'].includes(name));
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config file of Vendor Gate',
    description:
      'The inputs of the action as keys of a YAML file. An input given inline wins over the file; keys and tokens may not stand in it.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      inFile.map((input) => [
        input.name,
        { description: describe(input), ...valueSchema(input, specs) },
      ]),
    ),
  };
  return `${shortArrays(JSON.stringify(schema, null, 2))}\n`;
}

/** Arrays of plain values on one line where they fit into 100 columns, as the formatter wants them. */
function shortArrays(json: string): string {
  return json.replace(/^(.*)\[\n([^[\]{}]*?)\n\s*\](,?)$/gm, (whole, before, items, comma) => {
    const line = `${before}[${items.trim().replace(/\n\s*/g, ' ')}]${comma}`;
    return line.length <= 100 ? line : whole;
  });
}

function describe(input: Input): string {
  return [input.description, input.required ? '' : defaultOf(input)].filter(Boolean).join(' ');
}

function valueSchema(input: Input, specs: readonly BenchmarkSpec[]): Record<string, unknown> {
  const { kind } = input;
  const text = { type: 'string' };
  switch (kind.type) {
    case 'text':
      return kind.pattern ? { ...text, pattern: kind.pattern.source } : text;
    case 'integer':
    case 'number':
      return { type: kind.type, minimum: kind.min, maximum: kind.max };
    case 'boolean':
      return { type: 'boolean' };
    case 'duration':
      return kind.zero
        ? { anyOf: [{ const: 0 }, { ...text, pattern: '^([0-9]+[smh]|0)$' }] }
        : { ...text, pattern: '^[0-9]*[1-9][0-9]*[smh]$' };
    case 'choice':
      return { enum: kind.values };
    case 'choices':
      return { anyOf: [text, { type: 'array', items: { enum: kind.values } }] };
    case 'level':
      return {
        anyOf: [
          { type: 'number', minimum: 0.5, exclusiveMaximum: 1 },
          { ...text, pattern: '^[0-9.]+ ?%?$' },
        ],
      };
    case 'mapping':
      return input.name === 'headers'
        ? { type: 'object', additionalProperties: text }
        : { type: 'object' };
    case 'gates':
      return { anyOf: [text, { type: 'array', items: text }] };
    case 'datasets':
      return datasetsSchema(specs);
  }
}

function datasetsSchema(specs: readonly BenchmarkSpec[]): Record<string, unknown> {
  const text = { type: 'string', minLength: 1 };
  const options = specs.map((spec): [string, unknown] => {
    const own = typeof spec.optionsSchema === 'object' ? spec.optionsSchema : {};
    const properties = typeof own['properties'] === 'object' ? own['properties'] : {};
    const subset = { enum: spec.subsets.map(({ name }) => name), default: spec.defaultSubset };
    const schema = { ...own, properties: { subset, ...properties } };
    return [`^${spec.name}(/.+)?$`, { anyOf: [{ type: 'null' }, schema] }];
  });
  return {
    anyOf: [
      text,
      { type: 'array', items: text, minItems: 1 },
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        patternProperties: Object.fromEntries(options),
      },
    ],
  };
}
