import type { Problem } from '../model/errors.js';
import { nearest } from '../text/nearest.js';
import { decimalNumber, NUMBER } from './decimal-number.js';

type Explanation = Pick<Problem, 'what' | 'fix'>;

const GRAMMAR = '[benchmark[/subset].]metric OP number[%] [@ LEVEL%] [warn]';
const EXAMPLE = 'trigger_similarity >= 0.73';
const OPERATORS = ['>=', '>', '<=', '<'] as const;
/** Longest piece of the line that is quoted. */
const QUOTED = 80;
/** No gate is this long; more is not looked at. */
const LONGEST = 300;

const OPERATOR_SIGNS = /[<>=!~:≥≤≧≦⩾⩽≠≈＞＜＝→]+/u;
const AT_LEAST = ['=>', '>==', '≥', '≧', '⩾', '＞＝', '＞=', '→'];
const AT_MOST = ['=<', '<==', '≤', '≦', '⩽', '＜＝', '＜='];
const EQUALITY = ['=', '==', '===', '＝', '≈', '~', '~=', '=~'];
const INEQUALITY = ['!=', '!==', '<>', '><', '≠'];

/**
 * Why a line is not a gate, and what to write instead. Looks for the likeliest slip and tries to offer the whole line
 * corrected; `isGate` says whether such a suggestion would be understood.
 */
export function explain(line: string, isGate: (line: string) => boolean): Explanation {
  if (line.length > LONGEST) {
    return {
      what: `${quote(line)} has ${line.length} characters, too many for a gate.`,
      fix: `Write one gate a line, such as ${quote(EXAMPLE)}.`,
    };
  }
  for (const slip of SLIPS) {
    const found = slip(line, isGate);
    if (found !== null) return found;
  }
  return {
    what: `${quote(line)} is not a gate; the form is ${GRAMMAR}.`,
    fix: `Write it like ${quote(EXAMPLE)}.`,
  };
}

type Slip = (line: string, isGate: (line: string) => boolean) => Explanation | null;

const SLIPS: readonly Slip[] = [
  invisible,
  baseline,
  listed,
  several,
  turnedRound,
  badOperator,
  badName,
  badNumber,
  badEnd,
];

function invisible(line: string): Explanation | null {
  const found = /(?!\t)[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.exec(line)?.[0];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    what: `${quote(line)} contains the invisible character U+${code}.`,
    fix: 'Type the line anew instead of pasting it.',
  };
}

function baseline(line: string): Explanation | null {
  const word = /^\S+\s+(drop|rise)\b/.exec(line)?.[1];
  if (word === undefined) return null;
  return {
    what: `${quote(line)} compares with a baseline (${quote(word)}), and baselines are not available in this version.`,
    fix: `Give a fixed bound, such as ${quote(EXAMPLE)}.`,
  };
}

function listed(line: string, isGate: (line: string) => boolean): Explanation | null {
  const bare = line
    .replace(/^[-*+•]\s+/u, '')
    .replace(/^(["'`])(.*)\1$/u, '$2')
    .trim();
  if (bare === line || !isGate(bare)) return null;
  return {
    what: `${quote(line)} has a list mark or quotation marks around the gate.`,
    fix: `Write ${quote(bare)}.`,
  };
}

function several(line: string, isGate: (line: string) => boolean): Explanation | null {
  const parts = line.split(/\s*(?:[;,]|&&|\band\b)\s*/u).filter((part) => part !== '');
  if (parts.length < 2 || !parts.every(isGate)) return null;
  return {
    what: `${quote(line)} holds ${parts.length} gates.`,
    fix: 'Write one gate a line.',
  };
}

function turnedRound(line: string, isGate: (line: string) => boolean): Explanation | null {
  const parts = new RegExp(`^(${NUMBER}\\s*%?)\\s*([<>]=?)\\s*(\\S+)$`).exec(line);
  if (parts === null) return null;
  const [, number = '', operator = '', metric = ''] = parts;
  const turned = operator.startsWith('<') ? operator.replace('<', '>') : operator.replace('>', '<');
  return {
    what: `${quote(line)} names the number first; a gate names the metric first.`,
    fix: offer(`${metric} ${turned} ${number}`, isGate),
  };
}

function badOperator(line: string, isGate: (line: string) => boolean): Explanation | null {
  const found = OPERATOR_SIGNS.exec(line)?.[0];
  if (found === undefined) {
    return {
      what: `${quote(line)} has no operator; allowed are >=, >, <= and <.`,
      fix: `Write it like ${quote(EXAMPLE)}.`,
    };
  }
  if (isOperator(found)) return null;
  const allowed = 'allowed are >=, >, <= and <';
  if (EQUALITY.includes(found) || INEQUALITY.includes(found)) {
    return {
      what: `${quote(found)} in ${quote(line)} is not an operator: a measured figure never equals a number to the last digit, so a gate is a bound; ${allowed}.`,
      fix: `For at least, ${lower(offer(line.replace(found, ' >= '), isGate))}`,
    };
  }
  const meant = meantBy(found);
  return {
    what: `${quote(found)} in ${quote(line)} is not an operator; ${allowed}.`,
    fix: offer(line.replace(found, ` ${meant} `), isGate),
  };
}

function meantBy(sign: string): string {
  if (AT_LEAST.includes(sign)) return '>=';
  if (AT_MOST.includes(sign)) return '<=';
  if (sign === '＜') return '<';
  if (sign === '＞') return '>';
  return nearest(sign, OPERATORS) ?? (sign.includes('<') ? '<=' : '>=');
}

function badName(line: string): Explanation | null {
  const name = (line.split(/[<>]/, 1)[0] ?? '').trim();
  if (/^(?:[A-Za-z_][\w-]*(?:\/\w[\w.-]*)?\.)?[A-Za-z_][\w-]*$/.test(name)) return null;
  const what = name === '' ? 'no metric' : `${quote(name)}, which is not the name of a metric,`;
  return {
    what: `${quote(line)} has ${what} before the operator.`,
    fix: `A metric is named like trigger_similarity, k2_verifier.trigger_similarity or k2_verifier/k2_thinking.trigger_similarity.`,
  };
}

function badNumber(line: string, isGate: (line: string) => boolean): Explanation | null {
  const parts = /^([^<>]*[<>]=?)\s*([^\s%％﹪٪@]*)(.*)$/u.exec(line);
  if (parts === null) return null;
  const [, left = '', number = '', rest = ''] = parts;
  if (number === '') {
    return {
      what: `${quote(line)} has no number after the operator.`,
      fix: `Write it like ${quote(EXAMPLE)}.`,
    };
  }
  if (/^[+-]?[0-9]+,[0-9]+$/.test(number)) {
    return {
      what: `${quote(number)} in ${quote(line)} is not a number: the decimal mark is a point, and thousands are not separated.`,
      fix: offer(`${left} ${number.replace(',', '.')}${rest}`, isGate),
    };
  }
  if (/^[+-]?(nan|inf(inity)?|∞)$/iu.test(number)) {
    return {
      what: `${quote(number)} in ${quote(line)} is not a number that anything can be held against.`,
      fix: `Write a decimal number: ${quote(EXAMPLE)}.`,
    };
  }
  if (!new RegExp(`^${NUMBER}$`).test(number)) {
    return {
      what: `${quote(number)} in ${quote(line)} is not a number.`,
      fix: 'Write a decimal number such as 0.73, or per cent such as 90%.',
    };
  }
  if (decimalNumber(number, rest.trimStart().startsWith('%')) === null) {
    return {
      what: `${quote(number)} in ${quote(line)} is too large or too small a number to calculate with.`,
      fix: 'Write a number within the range of the metric.',
    };
  }
  return null;
}

function badEnd(line: string, isGate: (line: string) => boolean): Explanation | null {
  const parts = new RegExp(`^([^<>]*[<>]=?\\s*${NUMBER}\\s*%?)(.*)$`, 'u').exec(line);
  if (parts === null) return null;
  const [, gate = '', rest = ''] = parts;
  const end = rest.trim();
  const swapped = /^warn\s+(@.*)$/u.exec(end)?.[1];
  if (swapped !== undefined) {
    return {
      what: `${quote(end)} in ${quote(line)} is in the wrong order: warn comes last.`,
      fix: offer(`${gate} ${swapped} warn`, isGate),
    };
  }
  if (/^(?:per ?cent|pct|％|﹪|٪)/u.test(end)) {
    return {
      what: `${quote(end)} in ${quote(line)} means nothing here; per cent is written %.`,
      fix: offer(`${gate.trim()}%`, isGate),
    };
  }
  if (end.startsWith('@')) return badLevel(line, gate, end, isGate);
  const meant = nearest(end, ['warn']);
  return {
    what: `${quote(end)} at the end of ${quote(line)} means nothing here; after the number may follow @ LEVEL% and warn.`,
    fix:
      meant === null ? `Leave it out: ${quote(gate.trim())}.` : offer(`${gate} ${meant}`, isGate),
  };
}

function badLevel(
  line: string,
  gate: string,
  end: string,
  isGate: (line: string) => boolean,
): Explanation {
  const percent = new RegExp(`^@\\s*(${NUMBER})(.*)$`, 'u').exec(end);
  const suggestion = percent === null ? '' : `${gate} @ ${percent[1]}%${percent[2]}`;
  return {
    what: `${quote(end)} in ${quote(line)} is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.`,
    fix: isGate(suggestion) ? offer(suggestion, isGate) : 'Write @ 95%.',
  };
}

/** The corrected line when it is understood, else the form in general. */
function offer(line: string, isGate: (line: string) => boolean): string {
  const neat = line.replace(/\s+/gu, ' ').replace(/ %/gu, '%').trim();
  return `Write ${quote(isGate(neat) ? neat : EXAMPLE)}.`;
}

function lower(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

function isOperator(sign: string): boolean {
  return OPERATORS.some((operator) => operator === sign);
}

/** Quoted, shortened, and without characters that could not be seen or would act on a terminal. */
function quote(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\uFFFD');
  const points = [...clean.slice(0, QUOTED * 2)];
  const cut = points.length > QUOTED || clean.length > QUOTED * 2;
  return `"${points.slice(0, QUOTED).join('')}${cut ? '…' : ''}"`;
}
