import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../src/engine/plan.js';
import { parseGates } from '../../src/gates/parse.js';
import { whatSampleSizeTells } from '../../src/statistics/power.js';
import { planText } from '../../src/terminal/plan.js';

const { gates } = parseGates('trigger_similarity >= 0.73\nschema_accuracy >= 90%', 'user', 't');

function plan(samples: number): Plan {
  const [gate] = gates;
  return {
    name: 'k2_verifier',
    subset: 'k2_thinking',
    source: 'samples.jsonl',
    sha256: '3f9c'.repeat(16),
    rows: 2000,
    samples,
    shard: null,
    earlyStop: null,
    order: 'random',
    requests: samples,
    tokens: samples * 64_000,
    gates,
    tells: gate ? { ...whatSampleSizeTells(samples, 2000, 0.73, 0.76), gate, truth: 0.76 } : null,
    notComparable: [],
  };
}

describe('planText', () => {
  it('says what 200 samples can and cannot tell', () => {
    const text = planText(plan(200));
    for (const words of [
      'samples   200, a random draw',
      'requests  200, without retries',
      'at most 12,800,000 of answers',
      'With 200 samples F1 has a standard deviation of about 0.036',
      'a gate inside it is inconclusive',
      'really at 0.76 measures below 0.73 in 20 % of such runs',
      'breakage, not drift',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('says that a full run is held against the gate itself', () => {
    const text = planText(plan(2000));
    expect(text).toContain('the measured value itself is held against the gate');
    expect(text).toContain('in under 1 % of such runs');
    expect(text).toContain('enough to tell 0.76 from 0.73');
  });

  it('says when the answers have no ceiling, and why figures do not compare', () => {
    const text = planText({
      ...plan(10),
      tokens: null,
      tells: null,
      notComparable: ['tool-strict: true asks for guided decoding'],
    });
    expect(text).toContain('set max-tokens to bound the answers');
    expect(text).toContain('not comparable with published figures: tool-strict');
    expect(text).not.toContain('can tell');
  });

  it('says that a shard judges nothing, and what all of them can tell', () => {
    const text = planText({ ...plan(200), samples: 100, shard: { index: 1, of: 2, samples: 200 } });
    expect(text).toContain('  samples   shard 1 of 2, 100 of 200 samples; it judges nothing\n');
    expect(text).toContain('  what all shards together can tell\n    With 200 samples F1 has');
  });

  it('says of a run that may stop early how many samples it takes at most', () => {
    const text = planText({ ...plan(200), earlyStop: { unfollowed: [] } });
    expect(text).toContain('  samples   at most 200, a random draw\n  requests  at most 200,');
    expect(text).toContain(
      'The run ends as soon as the samples settle what all 2,000 rows would say; what is not settled by then is judged by its interval.',
    );
    expect(text).not.toContain('Only a part is run');
    expect(text).not.toContain('Cannot be followed');
  });

  it('names the gates that early stopping cannot follow', () => {
    const { gates: unfollowed } = parseGates('trigger_kappa >= 0.4', 'user', 't');
    const text = planText({ ...plan(2000), earlyStop: { unfollowed } });
    expect(text).toContain('would say; at the latest with the last of them.');
    expect(text).toContain(
      'Cannot be followed, so that the run ends early only when another gate fails:\n      trigger_kappa >= 0.4\n',
    );
  });

  it('prints nothing that a terminal obeys', () => {
    expect(planText({ ...plan(1), source: 'a\u001b[2Jb' })).not.toContain('\u001b');
  });
});
