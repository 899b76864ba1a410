import browser from './jest.browser.config.js';

/** Looks at the real pages of MiniWoB++, whose folder `npm run miniwob-parity` gives. */
export default { ...browser, testMatch: ['**/*.parity.ts'] };
