import type { Benchmark } from '../model/benchmark.js';
import { k2Verifier } from './k2-verifier/index.js';
import { miniwob } from './miniwob/index.js';

/** Every benchmark there is; a new one is a folder and a line here. */
export const BENCHMARKS: readonly Benchmark[] = [k2Verifier as Benchmark, miniwob as Benchmark];
