/**
 * Lets `require` load TypeScript, each file compiled once for all processes of all runs: the results are kept under their hashes.
 * The sources name each other as they will be called when they are built (`./clock.js`).
 */
const { transformSync } = require('@swc/core');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');

const cache = join(__dirname, '../../node_modules/.cache/typescript');
const options = {
  module: { type: 'commonjs' },
  sourceMaps: true,
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
const version = JSON.stringify([options, require('@swc/core/package.json').version]);

/** Paths of source maps by paths of the sources, and where Jest looks for them at present. */
const sourceMaps = new Map();
let shown = new Map();

/** Writes in one step: processes beside this one may read or write the same file. */
function write(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(version).update(filename).update(source).digest('hex').slice(0, 32);
  const file = join(cache, `${key}.cjs`);
  sourceMaps.set(filename, `${file}.map`);
  shown.set(filename, `${file}.map`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { code, map } = transformSync(source, { ...options, filename });
  mkdirSync(cache, { recursive: true });
  write(`${file}.map`, map);
  write(file, code);
  return code;
}

const resolveFilename = Module._resolveFilename;

Module._resolveFilename = function (request, parent, ...rest) {
  if (request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts')) {
    const file = `${resolve(dirname(parent.filename), request).slice(0, -3)}.ts`;
    if (existsSync(file)) return file;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};

Module._extensions['.ts'] = (module, filename) => module._compile(compile(filename), filename);

/** @returns the given map, which has the source maps of all that is loaded from now on */
module.exports.showSourceMaps = (map) => {
  for (const [source, file] of sourceMaps) map.set(source, file);
  return (shown = map);
};
