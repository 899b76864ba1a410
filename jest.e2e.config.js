import unit from './jest.config.js';

/** Runs dist/index.js as a user would; with VENDOR_GATE_NODE set, under that Node. */
export default { ...unit, testMatch: ['**/*.e2e.ts'], testTimeout: 60_000 };
