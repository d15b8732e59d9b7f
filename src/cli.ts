import { loadProgram, setYoungGeneration } from './app/bundle.js';

const { run } = loadProgram('commands');
setYoungGeneration('growing');
await run();
