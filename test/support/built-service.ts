import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
const BUILDS = join(ROOT, 'node_modules/.cache/lifecycle-build');
const COMPILED = join(ROOT, 'node_modules/.cache/lifecycle-compiled');
const BUNDLER = 'scripts/bundle.mjs';
const PACKAGE = 'package.json';
const KEPT_MS = 3_600_000;

/**
 * The service as `npm run build` leaves it, in a folder of its own.
 * Named after its sources, so that spec files that run side by side share one build and never meet half of one.
 *
 * @param root of the sources: those of another version are built with the packages of this one
 * @returns folder that holds `main.js` and `cli.js`
 */
export function builtService(root = ROOT): string {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(root, 'src', file)).isFile() && !/\.(spec|d)\.ts$/.test(file))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, 'src', file)));
  for (const file of [BUNDLER, PACKAGE]) hash.update(readFileSync(join(root, file)));
  const folder = join(BUILDS, hash.digest('hex').slice(0, 16));
  // One that is in use is not old.
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else build(root, files, folder);
  return join(folder, 'src');
}

function build(root: string, files: readonly string[], folder: string): void {
  removeOld();
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  // `transpile` knows no package scope: what `nodenext` would find out in package.json is said here.
  const compilerOptions = { ...options, module: ts.ModuleKind.ES2022, moduleResolution: undefined, sourceMap: false };
  const draft = join(BUILDS, `draft-${randomBytes(6).toString('hex')}`);
  for (const file of files) {
    const [from, to] = [join(root, 'src', file), join(draft, 'src', file)];
    mkdirSync(dirname(to), { recursive: true });
    if (file.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), compiled(from, compilerOptions));
    else cpSync(from, to);
  }
  cpSync(join(root, PACKAGE), join(draft, PACKAGE));
  // Jest's own options for Node are not those of a service, and V8 takes a code cache with equal ones only.
  execFileSync(process.execPath, [join(root, BUNDLER), join(draft, 'src')], { env: { PATH: process.env.PATH } });
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
}

/** Kept by its content: to compile all of the sources takes seconds, and much longer where others need the processor too. */
function compiled(file: string, compilerOptions: ts.CompilerOptions): string {
  const source = readFileSync(file, 'utf8');
  const name = createHash('sha256')
    .update(JSON.stringify([ts.version, compilerOptions, source]))
    .digest('hex');
  const kept = join(COMPILED, name);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file });
  mkdirSync(COMPILED, { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, outputText);
  renameSync(`${kept}.${process.pid}`, kept);
  return outputText;
}

function removeOld(): void {
  if (!existsSync(BUILDS)) return;
  for (const name of readdirSync(BUILDS)) {
    const path = join(BUILDS, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
