/**
 * Compares what a browser loads of the console, packed, with a budget for each step: `node scripts/console-weight.mjs`.
 * Ends with 1 if one is heavier.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LIST = 'src/list/list-page.tsx';
const EDITOR = 'src/editor/editor-page.tsx';
/** Bytes. */
const BUDGETS = { list: 260_000, editor: 150_000, css: 45_000 };

const folder = execFileSync(process.execPath, ['scripts/console.mjs'], { encoding: 'utf8' }).trim();
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** The scripts of a chunk and of all that it imports. */
function filesOf(name, found = new Set()) {
  const { file, imports = [] } = manifest[name];
  if (found.has(file)) return found;
  found.add(file);
  for (const other of imports) filesOf(other, found);
  return found;
}

const bytes = (files, ending) =>
  [...files]
    .filter((file) => file.endsWith(ending))
    .reduce((sum, file) => sum + statSync(join(folder, 'served', `${file}.gz`)).size, 0);

const list = new Set([...filesOf('index.html'), ...filesOf(LIST)]);
const editor = new Set([...filesOf(EDITOR)].filter((file) => !list.has(file)));
const weights = {
  list: bytes(list, '.js'),
  editor: bytes(editor, '.js'),
  css: bytes(new Set([manifest['style.css'].file]), '.css'),
};

for (const [name, weight] of Object.entries(weights)) {
  const isHeavy = weight > BUDGETS[name];
  if (isHeavy) process.exitCode = 1;
  console.log(
    `${name.padEnd(7)}${String(weight).padStart(8)} of ${BUDGETS[name]} bytes${isHeavy ? '  TOO HEAVY' : ''}`,
  );
}
