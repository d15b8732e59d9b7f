import { createRequire } from 'node:module';
import type * as starting from './start.js';

// With `import`, each of the thousand files would wait for promises of its own: a tenth of a start, and 8 MiB.
const { start } = createRequire(import.meta.url)('./start.js') as typeof starting;
await start();
