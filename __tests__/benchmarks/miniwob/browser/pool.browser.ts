import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool, type Pool } from '../../../../src/benchmarks/miniwob/browser/pool.js';
import {
  type Environment,
  EnvironmentError,
} from '../../../../src/benchmarks/miniwob/environment.js';
import { call, pagesFolder, requestFor, testBrowser } from '../../../support/miniwob-browser.js';

const PAGES = {
  fine: `<button onclick="core.endEpisode(1)">Go</button>`,
  seeded: `<b></b><script>genProblem = () => {
    setGoal('Read.'); document.querySelector('b').textContent = String(Math.random());
  };</script>`,
  hangs: `<button onclick="for (;;);">Hang</button>`,
  'hangs-at-once': `<script>genProblem = () => { for (;;); };</script>`,
  breaks: `<script>genProblem = () => { throw new Error('no problem today'); };</script>`,
  never: `<script>window.WOB_TASK_READY = false;</script>`,
  'copy-paste': `<input value="secret"><input>`,
  stores: `<p></p><script>document.querySelector('p').textContent = 'before: ' + localStorage.getItem('was') + document.cookie;
    localStorage.setItem('was', 'here'); document.cookie = 'was=here';</script>`,
};

let pages: ReturnType<typeof pagesFolder>;
let pool: Pool | null = null;

/** Every process that was ever met. */
const seen = new Set<number>();

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

beforeAll(() => {
  pages = pagesFolder(PAGES);
});
afterAll(() => pages.remove());
afterEach(async () => {
  await pool?.close();
  pool = null;
  expect(family()).toEqual([]);
  expect([...seen].filter(isAlive)).toEqual([]);
});

const PATIENT = { launchMs: 120_000, resetMs: 120_000, stepMs: 120_000, closeMs: 20_000 };

async function start(workers: number, deadlines = {}): Promise<Pool> {
  pool = await openPool({
    executable: testBrowser(),
    assetsDir: pages.dir,
    workers,
    env: process.env,
    deadlines: { ...PATIENT, ...deadlines },
  });
  return pool;
}

/** Processes that this one has started, with all that those have started; by `/proc`, so on Linux only. */
function family(type?: 'renderer' | 'browser'): number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      // `26558 (chromium) S 26550 …`; a Z has died and waits for its parent to notice.
      const [state, parent] =
        readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      if (state !== 'Z') parents.set(Number(name), Number(parent));
    } catch {}
  }
  const isMine = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && isMine(parent));
  };
  const mine = [...parents.keys()].filter(isMine);
  for (const pid of mine) seen.add(pid);
  return mine.filter((pid) => type === undefined || kindOf(pid) === type);
}

function kindOf(pid: number): string {
  const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  return /--type=([a-z]+)/.exec(line)?.[1] ?? 'browser';
}

async function played(episode: Environment): Promise<string> {
  try {
    await episode.reset();
    const view = await episode.step(call('click', '10'));
    return `${view.reward} ${view.done}`;
  } catch (error) {
    return String(error);
  } finally {
    await episode.close();
  }
}

describe('a pool', () => {
  it('tells the version of its browser', async () => {
    const { version } = await start(1);
    const line = execFileSync(testBrowser(), ['--version'], { encoding: 'utf8' });
    expect(line).toContain(version);
    expect(version).toMatch(/^\d+(\.\d+){3}$/);
  });

  it('gives a worker to one episode at a time', async () => {
    const { episode } = await start(1);
    const first = await episode(requestFor('fine'));
    let got = false;
    const second = episode(requestFor('fine')).then((given) => {
      got = true;
      return given;
    });
    await first.reset();
    expect(got).toBe(false);
    await first.close();
    expect(await played(await second)).toBe('1 true');
  });

  it('shows every episode the same, however many there are at a time', async () => {
    const seeds = [1, 2, 3, 4, 5, 6];
    const texts = async (workers: number): Promise<string[]> => {
      const { episode, close } = await start(workers);
      const result = await Promise.all(
        seeds.map(async (mathSeed) => {
          const mine = await episode(requestFor('seeded', { mathSeed }));
          const { tree } = await mine.reset();
          await mine.close();
          return tree;
        }),
      );
      await close();
      return result;
    };
    const alone = await texts(1);
    expect(new Set(alone).size).toBe(seeds.length);
    expect(await texts(3)).toEqual(alone);
  });

  it('lets an episode leave nothing behind for the next', async () => {
    const { episode } = await start(1);
    for (let count = 0; count < 2; count += 1) {
      const mine = await episode(requestFor('stores'));
      expect((await mine.reset()).tree).toContain('before: null');
      await mine.close();
    }
  });

  it('empties the clipboard between episodes', async () => {
    const { episode } = await start(1);
    const first = await episode(requestFor('copy-paste'));
    await first.reset();
    await first.step(call('click', '10'));
    await first.step(call('keyboard_press', 'Control+a'));
    await first.step(call('keyboard_press', 'Control+c'));
    await first.step(call('click', '11'));
    const pasted = await first.step(call('keyboard_press', 'Control+v'));
    expect(pasted.tree).toContain("[11] textbox '' value='secret'");
    await first.close();
    const second = await episode(requestFor('copy-paste'));
    await second.reset();
    await second.step(call('click', '11'));
    const { tree } = await second.step(call('keyboard_press', 'Control+v'));
    expect(tree).toContain("[11] textbox '', focused");
    await second.close();
  });

  it('ends everything when it is closed', async () => {
    const { episode, close } = await start(1);
    const first = await episode(requestFor('fine'));
    await first.reset();
    const step = expect(first.step(call('noop', 30_000))).rejects.toThrow(EnvironmentError);
    const waiting = expect(episode(requestFor('fine'))).rejects.toThrow('the run is ending');
    await close();
    await Promise.all([step, waiting]);
    await expect(episode(requestFor('fine'))).rejects.toThrow('the run is ending');
    await expect(first.step(call('noop', 1))).rejects.toThrow('the episode is over');
  });
});

describe('a fault costs one episode', () => {
  it.each([
    ['hangs', { stepMs: 8_000 }, 'the step took longer than 8 s'],
    ['hangs-at-once', { launchMs: 4_000, resetMs: 4_000 }, 'opening the page took longer than 8 s'],
    ['never', {}, 'the page did not get ready within 5 s'],
    ['breaks', {}, 'no problem today'],
    ['absent', {}, 'ERR_'],
  ])('%s', async (page, deadlines, message) => {
    const { episode } = await start(1, deadlines);
    const outcome = await played(await episode(requestFor(page)));
    expect(outcome).toContain('EnvironmentError');
    expect(outcome).toContain(message);
    await pool?.close();
    // A slow machine needs more time for a page that is well.
    const { episode: another } = await start(1);
    expect(await played(await another(requestFor('fine')))).toBe('1 true');
  });

  it('a browser that is killed in mid-episode', async () => {
    const { episode } = await start(1);
    const first = await episode(requestFor('fine'));
    await first.reset();
    const pids = family('browser');
    const failing = expect(first.step(call('noop', 30_000))).rejects.toThrow(EnvironmentError);
    await delay(100);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await failing;
    await first.close();
    expect(await played(await episode(requestFor('fine')))).toBe('1 true');
  });

  it('a page whose process is killed', async () => {
    const { episode } = await start(1);
    const first = await episode(requestFor('fine'));
    await first.reset();
    const failing = expect(first.step(call('noop', 30_000))).rejects.toThrow(EnvironmentError);
    await delay(100);
    for (const pid of family('renderer')) process.kill(pid, 'SIGKILL');
    await failing;
    await first.close();
    expect(await played(await episode(requestFor('fine')))).toBe('1 true');
  });

  it('a browser that is stopped and cannot even be closed', async () => {
    const { episode } = await start(1, { closeMs: 1_000 });
    const first = await episode(requestFor('fine'));
    await first.reset();
    for (const pid of family('browser')) process.kill(pid, 'SIGSTOP');
    await first.close();
    expect(await played(await episode(requestFor('fine')))).toBe('1 true');
  });

  it('a program that is no browser', async () => {
    const options = { assetsDir: pages.dir, workers: 1, env: process.env };
    await expect(openPool({ ...options, executable: '/bin/true' })).rejects.toThrow(
      /^the browser did not start: /,
    );
  });
});
