import type { Problem } from '../model/errors.js';
import { nearest } from '../text/nearest.js';
import { AGENT_FAULTS } from './faults/agents.js';
import { ARGUMENT_FAULTS } from './faults/arguments.js';
import { CALL_DELTA_FAULTS } from './faults/call-deltas.js';
import { DECISION_FAULTS } from './faults/decisions.js';
import type { Fault } from './faults/fault.js';
import { PAYLOAD_FAULTS } from './faults/payloads.js';
import { RESPONSE_FAULTS } from './faults/responses.js';
import { STREAM_FAULTS } from './faults/streams.js';
import { TRANSPORT_FAULTS } from './faults/transport.js';
import { seeded } from './seeded.js';

/** Every fault the simulator knows. Where several hit one row they act in this order. */
export const FAULTS: readonly Fault[] = [
  ...DECISION_FAULTS,
  ...PAYLOAD_FAULTS,
  ...ARGUMENT_FAULTS,
  ...AGENT_FAULTS,
  ...CALL_DELTA_FAULTS,
  ...STREAM_FAULTS,
  ...RESPONSE_FAULTS,
  ...TRANSPORT_FAULTS,
];

/** A fault and the share of rows it hits, in [0, 1]. */
export interface ChosenFault {
  readonly fault: Fault;
  readonly rate: number;
}

/** The faults chosen by name, in the order of FAULTS; what cannot be used is reported in `problems`. */
export function chooseFaults(rates: Readonly<Record<string, number>>): {
  readonly chosen: readonly ChosenFault[];
  readonly problems: readonly Problem[];
} {
  const names = FAULTS.map((fault) => fault.name);
  const problems = Object.entries(rates).flatMap(([name, rate]): Problem[] => {
    const where = `fault ${name}`;
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const fix = near === null ? `Choose one of: ${names.join(', ')}.` : `Did you mean ${near}?`;
      return [{ where, what: 'There is no such fault.', fix }];
    }
    if (rate >= 0 && rate <= 1) return [];
    return [
      { where, what: `The rate ${rate} is not between 0 and 1.`, fix: 'Give a share of the rows.' },
    ];
  });
  const chosen = FAULTS.flatMap((fault) => {
    const rate = rates[fault.name];
    return rate === undefined ? [] : [{ fault, rate }];
  });
  return { chosen, problems };
}

/** The faults that hit this row, decided by seed, fault and conversation alone; `attempt` counts from 1. */
export function faultsHitting(
  chosen: readonly ChosenFault[],
  digest: string,
  attempt: number,
  seed: number,
): readonly Fault[] {
  return chosen
    .filter(({ fault, rate }) => {
      const due = fault.once !== true || attempt === 1;
      return due && seeded(seed, 'fault', fault.name, digest) < rate;
    })
    .map(({ fault }) => fault);
}
