import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import type * as starting from './start.js';

/** The function that the bundle evaluates to: the body of a CommonJS module. */
type ModuleBody = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

/** The whole service and its packages in one file beside `main.js`, made by `scripts/bundle.mjs`. ASCII only. */
const BUNDLE = 'service.bundle.js';
/** What V8 compiled of it at build time. Another version of Node, or other flags, cannot use it and compile anew. */
const CODE_CACHE = 'service.bundle.cache';

/** Whether the young generation of the heap may grow as what survives in it does, which is V8's own rule. */
export function growYoungGeneration(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}

/** The start of the service out of its bundle; `null` where none was made. */
export function bundledStart(folder = import.meta.dirname): typeof starting.start | null {
  const script = bundleScript(folder);
  return script && evaluate(script, folder).start;
}

/**
 * The code cache of a bundle that was evaluated and not started, so that it holds the functions that a start needs.
 *
 * @public called by `scripts/bundle.mjs` on the built file
 */
export function codeCacheOf(folder: string): Buffer {
  // V8 takes a cache only with the flags with which it was made.
  growYoungGeneration(false);
  const script = bundleScript(folder);
  if (!script) throw new Error(`There is no ${BUNDLE} in ${folder}.`);
  evaluate(script, folder);
  return script.createCachedData();
}

function bundleScript(folder: string): Script | null {
  const [filename, cache] = [join(folder, BUNDLE), join(folder, CODE_CACHE)];
  if (!existsSync(filename)) return null;
  // Read as Latin-1, the text stays outside of the heap and is not copied.
  const source = readFileSync(filename, 'latin1');
  return new Script(source, { filename, cachedData: existsSync(cache) ? readFileSync(cache) : undefined });
}

function evaluate(script: Script, folder: string): typeof starting {
  const file = join(folder, BUNDLE);
  const module = { exports: {} };
  const body = script.runInThisContext() as ModuleBody;
  body(module.exports, createRequire(file), module, file, dirname(file));
  // What `start.ts` exports.
  return module.exports as typeof starting;
}
