import { createHash } from 'node:crypto';
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
/** The code that V8 compiled of it at build time, behind {@link sealOf} both. Other versions of Node compile by themselves. */
const CODE_CACHE = 'service.bundle.cache';
const SEAL_BYTES = 32;

/** The young generation of the heap grows as what survives in it does, which is V8's own rule, or keeps its size. */
export function setYoungGeneration(size: 'growing' | 'fixed'): void {
  setFlagsFromString(`--semi-space-growth-factor=${size === 'growing' ? 2 : 1}`);
}

/** The start of the service out of its bundle, which lies beside `main.js`; `null` where none was made. */
export function bundledStart(folder = dirname(import.meta.dirname)): typeof starting.start | null {
  const source = bundleText(folder);
  if (source === null) return null;
  // The file name is part of the code cache: a relative one is true of every copy.
  const script = new Script(source, { filename: BUNDLE, cachedData: compiledOf(source, folder) });
  return evaluate(script, folder).start;
}

/** The code cache of a bundle that was evaluated and not started. @public called by `scripts/bundle.mjs` on the built file */
export function codeCacheOf(folder: string): Buffer {
  // V8 takes a cache only with the flags with which it was made.
  setYoungGeneration('fixed');
  const source = bundleText(folder);
  if (!source) throw new Error(`There is no ${BUNDLE} in ${folder}.`);
  const script = new Script(source, { filename: BUNDLE });
  evaluate(script, folder);
  const compiled = script.createCachedData();
  return Buffer.concat([sealOf(source, compiled), compiled]);
}

/** Read as Latin-1, the text stays outside of the heap and is not copied. */
function bundleText(folder: string): string | null {
  const file = join(folder, BUNDLE);
  return existsSync(file) ? readFileSync(file, 'latin1') : null;
}

/** The compiled code of this very bundle; `undefined` where there is none, or a damaged or older one. */
function compiledOf(source: string, folder: string): Buffer | undefined {
  let file: Buffer;
  try {
    file = readFileSync(join(folder, CODE_CACHE));
  } catch {
    return undefined;
  }
  const compiled = file.subarray(SEAL_BYTES);
  return file.subarray(0, SEAL_BYTES).equals(sealOf(source, compiled)) ? compiled : undefined;
}

/** SHA-256 of both. V8 itself compares only the length of the source, and crashes on damaged code. */
function sealOf(source: string, compiled: Buffer): Buffer {
  return createHash('sha256').update(source, 'latin1').update(compiled).digest();
}

function evaluate(script: Script, folder: string): typeof starting {
  const file = join(folder, BUNDLE);
  const module = { exports: {} };
  const body = script.runInThisContext() as ModuleBody;
  body(module.exports, createRequire(file), module, file, dirname(file));
  // What `start.ts` exports.
  return module.exports as typeof starting;
}
