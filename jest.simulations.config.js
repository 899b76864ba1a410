import unit from './jest.config.js';

/** Simulations of statistical promises: too long for the unit tests, as deterministic as they are. */
export default { ...unit, testMatch: ['**/*.sim.ts'], testTimeout: 300_000 };
