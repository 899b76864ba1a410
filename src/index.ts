import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from './main.js';

export * from './api.js';

// The bundle is program and library in one: only when it is the entry does it run.
const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main();
