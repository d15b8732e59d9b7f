/** Lists other people's packages in a build, read from package-lock.json: the service, and what its console is made of. */
import { readFileSync } from 'node:fs';

/** Packages that say their licence in an older way, which the lock file leaves out. */
const OLDER = { busboy: 'MIT', 'passport-strategy': 'MIT', pause: 'MIT', streamsearch: 'MIT' };
/** Packages of `admin` that build the console, and are not in it. */
const BUILDERS = /^(?:@types\/|@vitejs\/|vite$)/;
const FOLDER = 'node_modules/';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** @returns `{ name, version, licence, part }` of each package, without those that are for one kind of machine only */
export function shippedPackages() {
  const paths = Object.keys(lock.packages).filter((path) => path.startsWith(FOLDER) && !lock.packages[path].link);
  const inConsole = consolePaths();
  return paths
    .map((path) => ({ ...packageAt(path), part: partOf(path, inConsole) }))
    .filter(({ part, isForOneMachine }) => part !== null && !isForOneMachine);
}

function packageAt(path) {
  const { version, license, cpu, os } = lock.packages[path];
  const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
  return { name, version, licence: license ?? OLDER[name] ?? 'unknown', isForOneMachine: Boolean(cpu ?? os) };
}

/** `null`: it is for development only. */
function partOf(path, inConsole) {
  const { dev, devOptional } = lock.packages[path];
  if (!dev && !devOptional) return 'service';
  return inConsole.has(path) ? 'console' : null;
}

/** Paths of the packages that the console needs while it runs, and of those that they need. */
function consolePaths() {
  const found = new Set();
  const waiting = Object.keys(lock.packages.admin.devDependencies)
    .filter((name) => !BUILDERS.test(name))
    .map((name) => pathOf(name, 'admin/'));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = lock.packages[path];
    if (!entry || entry.link || found.has(path)) continue;
    found.add(path);
    waiting.push(...Object.keys(entry.dependencies ?? {}).map((name) => pathOf(name, `${path}/`)));
  }
  return found;
}

/** Path at which Node finds a package that another one asks for: beside it, or in a folder above. */
function pathOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf(FOLDER, folder.length - 2))) {
    const path = `${folder}${FOLDER}${name}`;
    if (path in lock.packages) return path;
    if (!folder.includes(FOLDER)) return `${FOLDER}${name}`;
  }
}
