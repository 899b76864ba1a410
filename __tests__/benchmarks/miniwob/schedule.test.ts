import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { schedule } from '../../../src/benchmarks/miniwob/schedule.js';
import { CATEGORIES, SPLITS, TASKS } from '../../../src/benchmarks/miniwob/tasks.js';

const [header = [], ...rows] = readFileSync(
  new URL('../../fixtures/miniwob-seeds.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => line.split(','));
const seeds = rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])));
const ALL = { tasks: null, limit: null };

describe('schedule', () => {
  it('has the 125 seed pairs of one episode a task', () => {
    expect(
      schedule({ repeats: 1, ...ALL }).map(({ index, task, seed, mathSeed }) => [
        String(index),
        task.name,
        String(seed),
        String(mathSeed),
      ]),
    ).toEqual(
      seeds.map((row) => [row['index'], row['task_name'], row['seed_r1'], row['mathseed_r1']]),
    );
    expect(seeds).toHaveLength(125);
  });

  it('has the 625 seed pairs of five episodes a task', () => {
    const expected = seeds.flatMap((row) =>
      [0, 1, 2, 3, 4].map((k) => [
        row['task_name'],
        k,
        row[`seed_r5_${k}`],
        row[`mathseed_r5_${k}`],
      ]),
    );
    expect(
      schedule({ repeats: 5, ...ALL }).map(({ task, repeat, seed, mathSeed }) => [
        task.name,
        repeat,
        String(seed),
        String(mathSeed),
      ]),
    ).toEqual(expected);
    expect(expected).toHaveLength(625);
  });

  it('covers seeds whose first word is rejected', () => {
    expect(seeds.filter((row) => row['rejections_r1'] === '1')).toHaveLength(14);
    const [episode] = schedule({
      repeats: 1,
      tasks: new Set(['miniwob.choose-date-easy']),
      limit: null,
    });
    // 2571218620 is not the math seed's source word: the generator it seeds rejects its first one.
    expect(episode).toMatchObject({ seed: 2571218620, mathSeed: 71786, index: 6, repeat: 0 });
  });

  it('filters tasks without moving seeds', () => {
    const tasks = new Set(['miniwob.book-flight', 'miniwob.ascending-numbers']);
    expect(schedule({ repeats: 1, tasks, limit: null }).map(({ id, seed }) => [id, seed])).toEqual([
      ['ascending-numbers.0', 1608637542],
      ['book-flight.0', 4083286876],
    ]);
  });

  it('limits tasks before it repeats them', () => {
    const episodes = schedule({ repeats: 5, tasks: null, limit: 2 });
    expect(episodes.map(({ id }) => id)).toEqual([
      'ascending-numbers.0',
      'ascending-numbers.1',
      'ascending-numbers.2',
      'ascending-numbers.3',
      'ascending-numbers.4',
      'bisect-angle.0',
      'bisect-angle.1',
      'bisect-angle.2',
      'bisect-angle.3',
      'bisect-angle.4',
    ]);
  });

  it('takes a limit beyond the end, and no tasks at all', () => {
    expect(schedule({ repeats: 1, tasks: null, limit: 500 })).toHaveLength(125);
    expect(schedule({ repeats: 1, tasks: new Set(), limit: 3 })).toEqual([]);
  });

  it('has an id of its own for every episode', () => {
    const ids = schedule({ repeats: 5, ...ALL }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(625);
  });
});

describe('tasks', () => {
  const count = (wanted: (task: (typeof TASKS)[number]) => boolean): number =>
    TASKS.filter(wanted).length;

  test.each([
    ['original', 77],
    ['hidden test', 18],
    ['debug', 12],
    ['additional', 12],
    ['nodelay', 6],
  ])('%s: %i', (category, tasks) => {
    expect(CATEGORIES).toContain(category);
    expect(count((task) => task.category === category)).toBe(tasks);
  });

  test.each([
    ['train', 62],
    ['test', 63],
  ])('split %s: %i', (split, tasks) => {
    expect(SPLITS).toContain(split);
    expect(count((task) => task.split === split)).toBe(tasks);
  });

  it('counts what else the list says', () => {
    expect(TASKS).toHaveLength(125);
    expect(count(({ delay }) => delay)).toBe(9);
    expect(count(({ webgum }) => webgum)).toBe(56);
    expect(new Set(TASKS.map(({ similarityGroup }) => similarityGroup)).size).toBe(78);
  });

  it('is sorted by name, without doubles', () => {
    const names = TASKS.map(({ name }) => name);
    expect([...new Set(names)].sort()).toEqual(names);
  });

  it('knows a task', () => {
    expect(TASKS[2]).toEqual({
      name: 'miniwob.book-flight',
      page: 'book-flight',
      category: 'original',
      delay: true,
      webgum: true,
      similarityGroup: 2,
      split: 'train',
    });
  });
});
