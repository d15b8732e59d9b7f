import { createRequire } from 'node:module';
import { bundled, setYoungGeneration } from './app/bundle.js';
import type * as starting from './app/start.js';

// Nearly all that a start allocates stays: a young generation that had grown with it would be kept, and half empty.
setYoungGeneration('fixed');
// Without a bundle (`npm run dev`) files are required: with `import` each of a thousand would wait for promises of its own.
const program = bundled('service') ?? (createRequire(import.meta.url)('./app/start.js') as object);
await (program as typeof starting).start();
setYoungGeneration('growing');
