import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BENCHMARKS } from '../../src/benchmarks/index.js';
import { parseRow } from '../../src/benchmarks/k2-verifier/rows.js';
import { parseFlags } from '../../src/config/flags.js';
import { parseConfig } from '../../src/config/parse.js';
import { inputsOf } from '../../src/config/verb.js';
import { FAULTS } from '../../src/simulator/faults.js';
import { VERBS } from '../../src/terminal/verbs.js';
import {
  actionInputs,
  anchorsOf,
  commandsOf,
  linksOf,
  pages,
  partsOf,
} from '../support/markdown.js';

const SPECS = BENCHMARKS.map(({ spec }) => spec);
const PAGES = pages();

/** Stand in for what an example leaves to its surroundings; they only have to be legal. */
const STAND_INS = {
  endpoint: 'https://llm.example.com/v1',
  model: 'kimi-k2-thinking',
  datasets: 'k2_verifier',
  'report-id': 'nightly',
};

function problemsOf(configure: () => unknown): string[] {
  try {
    configure();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

describe('every relative link leads somewhere', () => {
  test.each(PAGES)('%s', (page) => {
    const broken = linksOf(page).filter((link) => {
      if (/^(?:https?:|mailto:)/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return statSync(target).isDirectory() || !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('every command uses a verb and options that exist, with legal values', () => {
  const commands = PAGES.flatMap((page) =>
    commandsOf(page).map(({ line, words }): [string, string[]] => [
      `${page}:${line} ${words.join(' ')}`,
      words,
    ]),
  );
  test('there are such commands', () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)('%s', (_where, [name, ...rest]) => {
    const verb = VERBS.find((each) => each.name === name);
    if (verb === undefined) {
      expect(['--help', '--version', 'VERB']).toContain(name);
      return;
    }
    const flags = parseFlags(rest, verb);
    expect(flags.problems).toEqual([]);
    if (verb.flags.some((flag) => flag.name === 'fault')) {
      const faults = flags.own.texts('fault').map((fault) => fault.split('=')[0]);
      expect(FAULTS.map((fault) => fault.name)).toEqual(expect.arrayContaining(faults));
      return;
    }
    if (!inputsOf(verb).some((input) => input.name === 'datasets')) return;
    const inFile = flags.values['config'] === undefined ? {} : STAND_INS;
    const values = { ...inFile, ...flags.values };
    const raw = { values, configFile: null, sets: flags.sets, surface: 'terminal' } as const;
    const dispensable = verb.dispensable ?? [];
    if (flags.help) return;
    expect(problemsOf(() => parseConfig({ ...raw, dispensable }, SPECS))).toEqual([]);
  });
});

describe('every YAML block hands the action inputs that exist, with legal values', () => {
  const blocks = PAGES.flatMap((page) =>
    partsOf(page)
      .fences.filter(({ language }) => language === 'yaml')
      .map(({ line, text }): [string, string] => [`${page}:${line}`, text]),
  );
  test('there are such blocks', () => expect(blocks.length).toBeGreaterThan(3));

  test.each(blocks)('%s', (_where, text) => {
    const uses = actionInputs(text);
    expect(uses.length).toBeGreaterThan(0);
    for (const given of uses) {
      const entries = Object.entries(given).map(([name, value]): [string, string] => {
        const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
        const stand = (STAND_INS as Readonly<Record<string, string>>)[name] ?? 'value';
        return [name, written.includes('${{') ? stand : written];
      });
      const values = { ...STAND_INS, ...Object.fromEntries(entries) };
      const raw = { values, configFile: null, sets: [], surface: 'action' } as const;
      expect(problemsOf(() => parseConfig(raw, SPECS))).toEqual([]);
    }
  });
});

describe('example rows are rows', () => {
  const lines = partsOf('docs/k2-verifier.md')
    .fences.filter(({ language }) => language === 'json')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.includes('"messages"'));
  test('there is one of each form', () => {
    const forms = new Set(lines.map((line) => parseRow(line).form));
    expect([...forms].sort()).toEqual(['hosted', 'request']);
  });
});

test('the README opens with a workflow and a picture', () => {
  const readme = readFileSync('README.md', 'utf8');
  const workflow = readme.indexOf('uses: vendor-gate/vendor-gate@v1');
  const picture = readme.indexOf('docs/images/failing-comment.png');
  expect(workflow).toBeGreaterThan(0);
  expect(picture).toBeGreaterThan(workflow);
  expect(picture).toBeLessThan(readme.indexOf('\n## '));
});
