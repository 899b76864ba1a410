// Whether ours gives the figures that K2VV's script and EvalScope give, on the same rows and the same answers.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeData } from './data.mjs';
import { measure, startSimulator, surroundings } from './processes.mjs';
import { table } from './table.mjs';
import { evalscope, k2vv, OURS } from './tools.mjs';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const rows = Number(values.rows);

/** Answers that go wrong in ways that all tools are meant to judge alike. */
const FAULTS = [
  ...['missed-calls=0.1', 'schema-violation=0.08', 'unknown-tool=0.05', 'empty-arguments=0.03'],
  ...['stop-with-calls=0.04', 'stop-token=0.02', 'length=0.03'],
  ...['duplicate-keys=0.03', 'foreign-ids=0.1', 'id-repeated=0.1'],
];
/**
 * Only against K2VV, since EvalScope means something else there (docs/k2-verifier.md): it sends tools without the
 * keywords it does not know (minimum, pattern, ...), so that a call the simulator makes up for them is another one;
 * finish_reason tool_calls without calls is valid; arguments that are cut off or encoded twice may be repaired. The
 * last fault is for K2VV, which reads the usage only where it stands in the choice.
 */
const FOR_K2VV = [
  ...['extra-calls=0.15', 'empty-calls=0.03', 'cut-arguments=0.05', 'double-encoded=0.03'],
  'usage-in-choice=1',
];

const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-bench-'));
let differences = 0;
let compared = 0;
try {
  console.log(`${await surroundings()}; ${rows} rows`);
  await compareWithK2vv();
  await compareWithEvalScope();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
if (compared === 0) {
  console.log('Nothing was compared: set K2VV_DIR or EVALSCOPE_PYTHON (bench/README.md).');
  process.exitCode = 2;
} else {
  console.log(differences === 0 ? 'No differences.' : `${differences} differences.`);
  process.exitCode = differences === 0 ? 0 : 1;
}

async function compareWithK2vv() {
  const tool = k2vv();
  if (tool.missing !== undefined) {
    console.log(`Not compared with K2VV's script: ${tool.missing}.`);
    return;
  }
  const place = join(dir, 'k2vv');
  const data = await writeData(dir, rows, { plain: false });
  await runBoth(tool, data, place, [...FAULTS, ...FOR_K2VV], {
    source: data.requests,
    labels: data.labels,
    // K2VV sends a history as it is.
    'history-arguments': 'raw',
  });
  const ours = {
    report: metricsIn(`${place}-ours`),
    summary: JSON.parse(readFileSync(join(`${place}-ours`, 'summary.json'), 'utf8')),
    records: recordsIn(join(`${place}-ours`, 'results.jsonl')),
  };
  const theirs = {
    summary: JSON.parse(readFileSync(`${place}.json`, 'utf8')),
    records: recordsIn(`${place}.jsonl`),
  };

  console.log("\nsummary.json, ours and that of K2VV's script");
  const fields = [...new Set([...Object.keys(theirs.summary), ...Object.keys(ours.summary)])];
  show(
    fields
      .filter((field) => !field.startsWith('eval_'))
      .map((field) => [field, ours.summary[field], theirs.summary[field]]),
  );

  console.log("\nMetrics: report.json, and the README's formulas on the records of K2VV's script");
  const expected = metricsOf(theirs.records, recordsIn(data.labels));
  show(Object.entries(expected).map(([name, value]) => [name, ours.report[name], value]));

  console.log('\nRecords of results.jsonl, by data_index: how many are equal');
  const equal = (of) =>
    [...theirs.records].filter(([index, record]) => {
      const own = ours.records.get(index);
      return own !== undefined && sorted(of(own)) === sorted(of(record));
    }).length;
  show(
    Object.entries({
      hash: ({ hash }) => hash,
      request: ({ request }) => request,
      finish_reason: ({ finish_reason }) => finish_reason,
      tool_calls_valid: ({ tool_calls_valid }) => tool_calls_valid,
      'message, finish_reason and usage of the response': ({ response: { choices, usage } }) => [
        choices,
        usage,
      ],
    }).map(([name, of]) => [name, equal(of), theirs.records.size]),
  );
}

async function compareWithEvalScope() {
  const tool = evalscope();
  if (tool.missing !== undefined) {
    console.log(`Not compared with EvalScope: ${tool.missing}.`);
    return;
  }
  const place = join(dir, 'evalscope');
  rmSync(join(dir, 'folder'), { recursive: true, force: true });
  const data = await writeData(dir, rows);
  await runBoth(tool, data, place, FAULTS, { source: data.hosted });
  const [run = ''] = readdirSync(place);
  const path = join(place, run, 'reports', 'simulated-k2', 'k2_verifier.json');
  const { metrics } = JSON.parse(readFileSync(path, 'utf8'));
  const report = metricsIn(`${place}-ours`);
  console.log('\nMetrics of report.json, and those of EvalScope');
  // EvalScope rounds its scores.
  const rounded = (value) => Math.round(value * 1e4) / 1e4;
  show(metrics.map(({ identity: { name }, score }) => [name, rounded(report[name]), score]));
}

/** One run of ours and one of the tool against the same simulator, which answers a row alike whoever asks. */
async function runBoth(tool, data, place, faults, sets) {
  const simulator = await startSimulator(
    dir,
    ...['--dataset', data.hosted, '--seed', values.seed],
    ...faults.flatMap((fault) => ['--fault', fault]),
  );
  try {
    const how = { url: simulator.url, data, concurrency: 32 };
    await measure(OURS.run({ ...how, output: `${place}-ours`, sets }), dir, OURS.accepted);
    await measure(tool.run({ ...how, output: place }), dir, tool.accepted);
  } finally {
    await simulator.stop();
  }
  compared += 1;
}

function metricsIn(output) {
  const [{ metrics }] = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8')).benchmarks;
  return Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]));
}

function recordsIn(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return new Map(records.map((record) => [record.data_index, record]));
}

/** The metrics of K2VV's README, from its records and the official ones. */
function metricsOf(records, labels) {
  const called = ({ finish_reason }) => finish_reason === 'tool_calls';
  let [tp, fp, fn, valid] = [0, 0, 0, 0];
  for (const [index, record] of records) {
    const official = called(labels.get(index));
    if (called(record)) official ? tp++ : fp++;
    else if (official) fn++;
    if (called(record) && record.tool_calls_valid === true) valid++;
  }
  return {
    trigger_similarity: (2 * tp) / (2 * tp + fp + fn),
    trigger_precision: tp / (tp + fp),
    trigger_recall: tp / (tp + fn),
    count_finish_reason_tool_calls: tp + fp,
    count_successful_tool_call: valid,
    schema_accuracy: valid / (tp + fp),
  };
}

/** Prints names with both values, and counts those that differ. */
function show(lines) {
  const texts = lines.map(([name, ours, theirs]) => {
    const [one, other] = [sorted(ours), sorted(theirs)];
    if (one !== other) differences += 1;
    return [name, one, other, one === other ? '' : 'differs'];
  });
  console.log(table(['', 'ours', 'theirs', ''], texts));
}

/** JSON with the members in order, so that equal values have equal texts. */
function sorted(value) {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
