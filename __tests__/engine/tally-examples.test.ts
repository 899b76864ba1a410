import { expect, test } from '@jest/globals';
import { Tally } from '../../src/engine/tally.js';
import type { Observation } from '../../src/model/observation.js';
import type { Example } from '../../src/model/report.js';
import { untrusted } from '../../src/text/untrusted.js';

/** Kinds and ranks of k2_verifier; the last three are about answers whose decision is right. */
const RANKS = { invalid: 1, missed: 2, extra: 3, tool: 6, count: 7, arguments: 8 } as const;

const OBSERVATION: Observation<unknown> = {
  kind: 'measured',
  payload: null,
  id: '1',
  attempt: 1,
  startedAt: 0,
  durationMs: 1,
  exchanges: [],
};

function example(kind: keyof typeof RANKS, id: string): Example {
  const text = untrusted('');
  const texts = { prompt: text, official: text, vendor: text, detail: text };
  return { id, kind, rank: RANKS[kind], title: kind, ...texts };
}

test.each<[string, (keyof typeof RANKS)[], string[]]>([
  [
    'wrong decisions alone',
    ['missed', 'extra', 'missed', 'extra', 'missed', 'missed'],
    ['missed 0', 'extra 1', 'missed 2', 'extra 3', 'missed 4'],
  ],
  [
    'other calls take one place in five, however many there are',
    ['arguments', 'arguments', 'tool', 'count', 'missed', 'missed', 'missed', 'extra', 'extra'],
    ['missed 4', 'extra 7', 'tool 2', 'missed 5', 'extra 8'],
  ],
  [
    'beside a single kind they take every second place, each kind once',
    ['arguments', 'arguments', 'tool', 'count', 'missed', 'missed', 'missed'],
    ['missed 4', 'tool 2', 'missed 5', 'count 3', 'missed 6'],
  ],
  [
    'alone they take all places',
    ['arguments', 'arguments', 'tool', 'tool', 'count', 'arguments'],
    ['tool 2', 'count 4', 'arguments 0', 'tool 3', 'arguments 1'],
  ],
  [
    'what is left over is theirs',
    ['missed', 'arguments', 'arguments', 'arguments', 'arguments'],
    ['missed 0', 'arguments 1', 'arguments 2', 'arguments 3'],
  ],
  [
    'a kind is kept three times at most',
    ['missed', 'missed', 'missed', 'missed'],
    ['missed 0', 'missed 1', 'missed 2'],
  ],
  ['nothing to show', [], []],
])('%s', (_name, kinds, expected) => {
  const shown = [...kinds.keys()].map((place) => ({
    place,
    kind: kinds[place] as keyof typeof RANKS,
  }));
  for (const order of [shown, shown.toReversed()]) {
    const tally = new Tally();
    for (const { place, kind } of order) {
      tally.add(OBSERVATION, {}, example(kind, `${kind} ${place}`), place);
    }
    expect(tally.examples.map(({ id }) => id)).toEqual(expected);
  }
});
