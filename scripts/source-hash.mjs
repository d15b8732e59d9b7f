import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tests are not built. */
const SPEC = /\.(spec|e2e-spec)\.tsx?$/;
const LEFT_OUT = /(^|\/)(node_modules|dist)(\/|$)/;

/** A name for the contents of files and of all files in folders: it changes when one of them does. */
export function sourceHash(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !SPEC.test(name) && !LEFT_OUT.test(name))
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}
