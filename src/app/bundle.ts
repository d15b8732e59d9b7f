import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import type * as commands from '../cli/program.js';
import type * as service from './start.js';

/** The function that the bundle evaluates to: the body of a CommonJS module. */
type ModuleBody = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

interface Programs {
  readonly service: typeof service;
  readonly commands: typeof commands;
}

/** A program and its packages in one file beside `main.js`, made by `scripts/bundle.mjs`. ASCII only. */
type Bundle = keyof Programs;

/** The module that a bundle exports, from this folder. */
const ENTRIES: Readonly<Record<Bundle, string>> = { service: './start.js', commands: '../cli/program.js' };

/** The code that V8 compiled of it at build time, behind {@link sealOf} both. Other versions of Node compile by themselves. */
const codeCache = (bundle: Bundle): string => `${bundle}.bundle.cache`;
const sourceFile = (bundle: Bundle): string => `${bundle}.bundle.js`;
const SEAL_BYTES = 32;

/** The young generation of the heap grows as what survives in it does, which is V8's own rule, or keeps its size. */
export function setYoungGeneration(size: 'growing' | 'fixed'): void {
  setFlagsFromString(`--semi-space-growth-factor=${size === 'growing' ? 2 : 1}`);
}

/**
 * Exports of a program, from its bundle if there is one. It is loaded with a young generation of fixed size, with which its code
 * cache was made; the caller lets it grow.
 */
export function loadProgram<Name extends Bundle>(name: Name): Programs[Name] {
  setYoungGeneration('fixed');
  // Without a bundle (`npm run dev`) files are required: with `import` each of a thousand would wait for promises of its own.
  return (bundled(name) ?? createRequire(import.meta.url)(ENTRIES[name])) as Programs[Name];
}

/** Exports of the entry of a bundle; `null` if it does not lie beside `main.js`. */
export function bundled(bundle: Bundle, folder = dirname(import.meta.dirname)): object | null {
  const source = bundleText(bundle, folder);
  if (source === null) return null;
  // The file name is part of the code cache: a relative one is true of every copy.
  const script = new Script(source, {
    filename: sourceFile(bundle),
    cachedData: compiledOf(source, join(folder, codeCache(bundle))),
  });
  return evaluate(script, join(folder, sourceFile(bundle)));
}

/** The code cache of a bundle that was evaluated and not started. @public called by `scripts/bundle.mjs` on the built file */
export function codeCacheOf(bundle: Bundle, folder: string): Buffer {
  // V8 takes a cache only with the flags with which it was made.
  setYoungGeneration('fixed');
  const source = bundleText(bundle, folder);
  if (!source) throw new Error(`There is no ${sourceFile(bundle)} in ${folder}.`);
  const script = new Script(source, { filename: sourceFile(bundle) });
  evaluate(script, join(folder, sourceFile(bundle)));
  const compiled = script.createCachedData();
  return Buffer.concat([sealOf(source, compiled), compiled]);
}

/** Read as Latin-1, the text stays outside of the heap and is not copied. */
function bundleText(bundle: Bundle, folder: string): string | null {
  const file = join(folder, sourceFile(bundle));
  return existsSync(file) ? readFileSync(file, 'latin1') : null;
}

/** The compiled code of this very bundle; `undefined` where there is none, or a damaged or older one. */
function compiledOf(source: string, file: string): Buffer | undefined {
  let sealed: Buffer;
  try {
    sealed = readFileSync(file);
  } catch {
    return undefined;
  }
  const compiled = sealed.subarray(SEAL_BYTES);
  return sealed.subarray(0, SEAL_BYTES).equals(sealOf(source, compiled)) ? compiled : undefined;
}

/** SHA-256 of both. V8 itself compares only the length of the source, and crashes on damaged code. */
function sealOf(source: string, compiled: Buffer): Buffer {
  return createHash('sha256').update(source, 'latin1').update(compiled).digest();
}

function evaluate(script: Script, file: string): object {
  const module = { exports: {} };
  const body = script.runInThisContext() as ModuleBody;
  body(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
