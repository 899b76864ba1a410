import type { VerbSpec } from '../config/verb.js';
import { FAULTS } from '../simulator/faults.js';

const FIDELITY = {
  name: 'fidelity',
  kind: { type: 'number', min: 0, max: 1 },
  description: 'Share of rows, 0 to 1, that keep the official decision. Default: 1.',
} as const;

const LATENCY = {
  name: 'latency-ms',
  kind: { type: 'integer', min: 0, max: 3_600_000 },
  description: 'Time from the request to the last byte of the answer. Default: 0.',
} as const;

const FAULT = {
  name: 'fault',
  kind: { type: 'text' },
  placeholder: 'NAME=RATE',
  repeat: true,
  description: 'Makes a share of the answers faulty in one way, such as stop-with-calls=0.1.',
} as const;

export const RUN: VerbSpec = {
  name: 'run',
  summary: 'Measures an endpoint and judges it.',
  inputs: 'all',
  flags: [],
};

export const PLAN: VerbSpec = {
  name: 'plan',
  summary:
    'Says what run would send with the same options, what it could cost and what it could tell. Sends nothing.',
  inputs: 'all',
  flags: [],
  dispensable: ['endpoint', 'model'],
};

export const SCORE: VerbSpec = {
  name: 'score',
  summary:
    'Judges a K2VV results file without an endpoint. Whether tool calls are valid is computed anew.',
  inputs: [
    'model',
    'datasets',
    'config',
    'thresholds',
    'default-gates',
    'decision',
    'confidence',
    'fail-on',
    'report-id',
    'limit',
    'order',
    'seed',
  ],
  outputDir: 'Directory for the report and the result files. Default: vendor-gate-output.',
  flags: [
    {
      name: 'results',
      kind: { type: 'text' },
      placeholder: 'FILE',
      required: true,
      description: 'results.jsonl as K2VV or this tool writes it.',
    },
  ],
  dispensable: ['endpoint', 'model'],
};

export const MERGE: VerbSpec = {
  name: 'merge',
  summary: 'Joins the reports of shards into the report of one run and judges it. Sends nothing.',
  inputs: ['fail-on'],
  outputDir: 'Directory for the joined report. Default: vendor-gate-output.',
  flags: [],
  dispensable: ['endpoint', 'model', 'datasets'],
  positionals: {
    name: 'DIR...',
    description:
      'Output directories of the shards, their report.json files, or a directory that holds such directories.',
    min: 1,
    max: 9999,
  },
};

export const OFFICIAL: VerbSpec = {
  name: 'official',
  summary:
    'Holds result files of the official model against each other: how well it agrees with itself is the most that a gate can ask for. Sends nothing. With --output the figures also stand there in official.json.',
  inputs: [],
  outputDir: 'Directory for official.json. Default: none, and nothing is written.',
  flags: [],
  positionals: {
    name: 'FILE FILE [FILE...]',
    description:
      'Results files as K2VV or this tool writes them, or output directories with them, each of another run of the official model over the same data set.',
    // The verb itself says what is missing when there are fewer than two.
    min: 0,
    max: Number.POSITIVE_INFINITY,
  },
};

export const SIMULATE: VerbSpec = {
  name: 'simulate',
  summary:
    'Starts an OpenAI-compatible endpoint with chosen fidelity, latency and faults. With --output the address also stands there in simulator.json.',
  inputs: [],
  outputDir: 'Directory for simulator.json. Default: none, and nothing is written.',
  flags: [
    {
      name: 'port',
      kind: { type: 'integer', min: 0, max: 65_535 },
      description: 'Port on 127.0.0.1; 0 takes a free one. Default: 0.',
    },
    {
      name: 'dataset',
      kind: { type: 'text' },
      placeholder: 'FILE',
      description: 'Data set whose prompts it knows. Default: the built-in synthetic one.',
    },
    FIDELITY,
    LATENCY,
    FAULT,
    {
      name: 'seed',
      kind: { type: 'integer', min: 0, max: 4_294_967_295 },
      description: 'Decides which rows are changed. Default: 1.',
    },
    {
      name: 'model',
      kind: { type: 'text' },
      placeholder: 'NAME',
      description: 'Name of the model it serves. Default: simulated-k2.',
    },
  ],
};

export const DEMO: VerbSpec = {
  name: 'demo',
  summary:
    'Runs the whole thing against a simulated endpoint with what is built in: --datasets k2_verifier (the default), miniwob (needs Chrome or Chromium) or both. Needs no network.',
  inputs: ['datasets', 'concurrency'],
  outputDir: 'Directory for the report and the result files. Default: a temporary one.',
  flags: [FIDELITY, LATENCY, FAULT],
};

export const VERBS: readonly VerbSpec[] = [RUN, PLAN, SCORE, MERGE, OFFICIAL, SIMULATE, DEMO];

/** The faults by name, for `simulate --help`. */
export function faultList(): string {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  const lines = FAULTS.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`);
  return `\nFaults:\n${lines.join('\n')}\n`;
}
