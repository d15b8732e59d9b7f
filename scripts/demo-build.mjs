/** Builds what `npm run demo` runs, unless it was built from these sources: a second start begins at once. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sourceHash } from './source-hash.mjs';

const SOURCES = ['src', 'admin', 'packages', 'scripts', 'ormconfig.ts', 'nest-cli.json', 'package-lock.json'];
/** Says what `dist` was built from. A build of another kind empties the folder, and takes it along. */
const MARK = 'dist/demo.hash';

const hash = sourceHash([...SOURCES, 'package.json', 'tsconfig.json', 'tsconfig.build.json']);
const isBuilt = existsSync(MARK) && readFileSync(MARK, 'utf8') === hash;
if (!isBuilt) {
  console.log('The first build takes one to four minutes, depending on the machine.');
  console.log('Building the service …');
  execFileSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], { stdio: 'inherit' });
  console.log('Building the console …');
  execFileSync(process.execPath, ['scripts/console.mjs'], { stdio: ['inherit', 'ignore', 'inherit'] });
  writeFileSync(MARK, hash);
}
console.log('Opening the database …');
