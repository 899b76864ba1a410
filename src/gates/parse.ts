import type { Problem } from '../model/errors.js';
import type { Gate, Operator } from '../model/gate.js';
import { decimalNumber, NUMBER } from './decimal-number.js';
import { explain } from './malformed.js';

/** A gate line has some sixty characters; far more is not one. */
const LONGEST_LINE = 300;

const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
/** Names of subsets may hold points (`k2.5`); the metric's name is what stands after the last one. */
const SUBSET = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const GATE = new RegExp(
  `^(?:(?<benchmark>${NAME})(?:/(?<subset>${SUBSET}))?\\.)?(?<metric>${NAME})` +
    `\\s*(?<operator>[<>]=?)\\s*(?<number>${NUMBER})\\s*(?<percent>%)?` +
    `(?:\\s*@\\s*(?<level>${NUMBER})\\s*(?<levelPercent>%)?)?(?<warn>\\s+warn)?$`,
);

/**
 * Reads gates, one a line: `[benchmark[/subset].]metric OP number[%] [@ LEVEL%] [warn]`, with OP one of >= > <= <.
 * `#` starts a comment, empty lines count for nothing, spaces within a line are free, and a line that says the same as an
 * earlier one is left out. A level is written `@ 95%` or `@ 0.95`. Never throws: each line that is not a gate gives one
 * problem that names it, and all are reported together.
 * @param where the input or file the text is from, as problems name it
 */
export function parseGates(
  text: string,
  origin: Gate['origin'],
  where: string,
): { gates: Gate[]; problems: Problem[] } {
  const gates = new Map<string, Gate>();
  const problems: Problem[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = withoutComment(raw);
    if (line === '') continue;
    const gate = parseLine(line, origin);
    if (gate === null) {
      problems.push({ where: `${where} line ${index + 1}`, ...explain(line, isGate) });
    } else if (!gates.has(gate.text)) {
      gates.set(gate.text, gate);
    }
  }
  return { gates: [...gates.values()], problems };
}

function withoutComment(line: string): string {
  return (line.split('#', 1)[0] ?? '').trim();
}

function isGate(line: string): boolean {
  return parseLine(line, 'user') !== null;
}

function parseLine(line: string, origin: Gate['origin']): Gate | null {
  const groups = line.length > LONGEST_LINE ? undefined : GATE.exec(line)?.groups;
  if (groups === undefined) return null;
  const { benchmark = null, subset = null, metric = '', number = '' } = groups;
  const percent = groups['percent'] !== undefined;
  const bound = decimalNumber(number, percent);
  const level = readLevel(groups['level'], groups['levelPercent'] !== undefined);
  if (bound === null || level === undefined) return null;
  return {
    text: asText(groups),
    benchmark,
    subset,
    metric,
    operator: groups['operator'] as Operator,
    bound,
    percent,
    level,
    warn: groups['warn'] !== undefined,
    origin,
  };
}

/** null: no level given; undefined: not a level. */
function readLevel(text: string | undefined, percent: boolean): number | null | undefined {
  if (text === undefined) return null;
  const level = decimalNumber(text, percent);
  return level !== null && level > 0 && level < 1 ? level : undefined;
}

/** As written, with one space between the parts and none before a per cent sign. */
function asText(groups: Record<string, string | undefined>): string {
  const { benchmark, subset, metric, operator, number, percent = '', level } = groups;
  const prefix = benchmark === undefined ? '' : `${benchmark}${subset ? `/${subset}` : ''}.`;
  const at = level === undefined ? '' : ` @ ${level}${groups['levelPercent'] ?? ''}`;
  const warn = groups['warn'] === undefined ? '' : ' warn';
  return `${prefix}${metric} ${operator} ${number}${percent}${at}${warn}`;
}
