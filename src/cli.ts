import { createRequire } from 'node:module';
import { bundled, setYoungGeneration } from './app/bundle.js';
import type * as commands from './cli/program.js';

// The code cache was made with it (`codeCacheOf`).
setYoungGeneration('fixed');
const program = bundled('commands') ?? (createRequire(import.meta.url)('./cli/program.js') as object);
setYoungGeneration('growing');
await (program as typeof commands).run();
