import { loadProgram, setYoungGeneration } from './app/bundle.js';

const { start } = loadProgram('service');
await start();
// Nearly all that a start allocates stays: a young generation that had grown with it would be kept, and half empty.
setYoungGeneration('growing');
