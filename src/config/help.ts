import { GROUPS, type Input, type Kind } from './inputs.js';
import { inputsOf, type OwnFlag, type VerbSpec } from './verb.js';

const WIDTH = 80;

/** What `--help` prints for a verb. `program`: how the terminal is started, `node dist/index.js`. */
export function helpFor(verb: VerbSpec, program: string): string {
  const inputs = inputsOf(verb);
  const { positionals } = verb;
  const lines = [
    ...wrapped(verb.summary, ''),
    '',
    `Usage: ${program} ${verb.name} [options]${positionals ? ` ${positionals.name}` : ''}`,
  ];
  if (positionals)
    lines.push('', `  ${positionals.name}`, ...wrapped(positionals.description, '      '));
  if (verb.flags.length > 0)
    lines.push('', 'Options of this verb:', ...verb.flags.flatMap(ownLines));
  for (const [group, title] of Object.entries(GROUPS)) {
    const members = inputs.filter((input) => input.group === group);
    if (members.length > 0)
      lines.push('', `${title}:`, ...members.flatMap((input) => inputLines(input, verb)));
  }
  lines.push('', 'Everywhere:');
  lines.push('  --output DIR', '      The same as --output-dir.');
  if (inputs.some((input) => input.name === 'datasets')) {
    lines.push(
      '  --set BENCHMARK.OPTION=VALUE',
      '      Sets one option of a benchmark; may be repeated.',
    );
  }
  lines.push('  --help', '      Prints this.');
  if (inputs.some((input) => input.name === 'endpoint')) {
    const key =
      'The API key comes from the variable VENDOR_GATE_API_KEY or OPENAI_API_KEY, never from an option.';
    lines.push('', ...wrapped(key, ''));
  }
  return `${lines.join('\n')}\n`;
}

function ownLines(flag: OwnFlag): string[] {
  const notes = [flag.required ? 'Required.' : '', flag.repeat ? 'May be repeated.' : ''];
  const text = [flag.description, ...notes].filter(Boolean).join(' ');
  return [...head(flag.name, flag.kind, flag.placeholder), ...wrapped(text, '      ')];
}

function inputLines(input: Input, verb: VerbSpec): string[] {
  const { description, where, name } = input;
  if (name === 'output-dir' && verb.outputDir !== undefined)
    return [...head(name, input.kind, input.placeholder), ...wrapped(verb.outputDir, '      ')];
  const spared = verb.dispensable?.some((each) => each === name) ?? false;
  const required = input.required && !spared;
  const notes = [
    where === 'action' ? 'Only the action makes use of it.' : '',
    required ? 'Required.' : spared ? 'Not needed here.' : defaultOf(input),
  ];
  const text = [description, ...notes].filter(Boolean).join(' ');
  return [...head(input.name, input.kind, input.placeholder), ...wrapped(text, '      ')];
}

/** `Default: 16.`, as action.yml and the help text say it; empty when the input is required. */
export function defaultOf(input: Input): string {
  if (input.required) return '';
  return `Default: ${input.default ?? input.otherwise ?? 'none'}.`;
}

function head(name: string, kind: Kind, placeholder: string | undefined): string[] {
  if (kind.type === 'boolean') return [`  --${name}[=true|false], --no-${name}`];
  return [`  --${name} ${placeholder ?? standIn(kind)}`];
}

function standIn(kind: Kind): string {
  switch (kind.type) {
    case 'choice':
      return kind.values.join('|');
    case 'integer':
    case 'number':
      return 'N';
    case 'duration':
      return 'TIME';
    case 'mapping':
      return 'JSON';
    case 'gates':
      return 'GATE...';
    case 'datasets':
      return 'NAME...';
    default:
      return 'TEXT';
  }
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}
