import unit from './jest.config.js';

/** Drives a real Chrome or Chromium. Slow machines take their time, and browsers at the same time even more. */
export default {
  ...unit,
  testMatch: ['**/*.browser.ts'],
  testTimeout: 180_000,
  maxWorkers: 1,
};
