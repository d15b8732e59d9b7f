/**
 * Builds the console for the service to serve: `node scripts/console.mjs [folder, dist/admin without it]`.
 * What was built before from the same sources is copied. Prints the folder in which the build is kept.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sourceHash } from './source-hash.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = 'node_modules/.cache/console';
/** All that decides what is built. */
const SOURCES = ['admin', 'packages/client', 'package-lock.json', 'scripts/console.mjs'];
/** Files that get smaller: those of other kinds are packed already. */
const PACKED = new Set(['.js', '.css', '.svg']);

process.chdir(ROOT);
const kept = join(CACHE, sourceHash(SOURCES));
if (!existsSync(kept)) await build(kept);
const target = process.argv[2] ?? 'dist/admin';
rmSync(target, { recursive: true, force: true });
cpSync(join(kept, 'served'), target, { recursive: true });
console.log(kept);

/** Into a draft first, since programs that build at the same time must never meet half of one. */
async function build(folder) {
  const { build: bundle } = await import('vite');
  const draft = join(CACHE, `draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  await bundle({ root: 'admin', logLevel: 'error', build: { outDir: resolve(draft, 'served') } });
  renameSync(join(draft, 'served/.vite/manifest.json'), join(draft, 'manifest.json'));
  rmSync(join(draft, 'served/.vite'), { recursive: true });
  list(join(draft, 'served'));
  removeOthers(basename(draft));
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
}

/** Packs what is served, and writes down its names: the service serves these files and no other. */
function list(served) {
  const assets = join(served, 'assets');
  for (const name of readdirSync(assets).filter((file) => PACKED.has(extname(file)))) {
    writeFileSync(join(assets, `${name}.gz`), gzipSync(readFileSync(join(assets, name)), { level: 9 }));
  }
  writeFileSync(join(served, 'console.json'), JSON.stringify(readdirSync(assets)));
}

function removeOthers(draft) {
  for (const name of readdirSync(dirname(join(CACHE, draft)))) {
    if (name !== draft && !name.startsWith('draft-')) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
