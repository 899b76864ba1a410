import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ResponsePlan, Step } from './plan.js';

/**
 * Plays a plan on a response: one timer at a time, none left when the connection is gone.
 * `startedAt`: performance.now() when the request arrived; late timers do not add up.
 */
export function send(plan: ResponsePlan, response: ServerResponse, startedAt: number): void {
  const steps = plan.steps[Symbol.iterator]();
  let timer: NodeJS.Timeout | undefined;
  response.on('close', () => clearTimeout(timer));

  const write = (step: Step): boolean => {
    if (!response.headersSent) response.writeHead(plan.status, plan.headers);
    return response.write(step.bytes);
  };

  const advance = (): void => {
    while (!response.destroyed) {
      const next = steps.next();
      if (next.done === true) {
        finish(plan, response);
        return;
      }
      const step = next.value;
      const waitMs = Math.round(startedAt + step.atMs - performance.now());
      if (waitMs > 0) {
        timer = setTimeout(() => {
          if (write(step)) advance();
          else response.once('drain', advance);
        }, waitMs);
        return;
      }
      if (!write(step)) {
        response.once('drain', advance);
        return;
      }
    }
  };
  advance();
}

function finish(plan: ResponsePlan, response: ServerResponse): void {
  if (plan.ending === 'hang') return;
  if (plan.ending === 'end') {
    if (!response.headersSent) response.writeHead(plan.status, plan.headers);
    response.end();
    return;
  }
  const { socket } = response;
  // A reset overtakes bytes that are still on their way: let them go first.
  if (response.headersSent) setTimeout(() => socket?.resetAndDestroy(), 20).unref();
  else socket?.resetAndDestroy();
}
