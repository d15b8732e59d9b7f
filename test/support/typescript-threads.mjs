// Jest compiles what a test imports, but a thread loads its file by itself: with this it can load TypeScript too.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
