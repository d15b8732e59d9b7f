import { createRequire } from 'node:module';
import { bundledStart, setYoungGeneration } from './app/bundle.js';
import type * as starting from './app/start.js';

// Nearly all that a start allocates stays: a young generation that had grown with it would be kept, and half empty.
setYoungGeneration('fixed');
// Without a bundle (`npm run dev`) files are required: with `import` each of a thousand would wait for promises of its own.
const start = bundledStart() ?? (createRequire(import.meta.url)('./app/start.js') as typeof starting).start;
await start();
setYoungGeneration('growing');
