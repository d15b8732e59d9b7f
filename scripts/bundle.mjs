/**
 * Bundles the built service and the command line into one file each and compiles them: a start reads 2 files instead of 1,900.
 * `node scripts/bundle.mjs [folder of main.js]`. See docs/adr/0012-one-file-for-a-start.md.
 */
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2] ?? 'dist/src');
/** By the name of the bundle (`app/bundle.ts`): the module that it exports. */
const ENTRIES = { service: 'app/start.js', commands: 'cli/program.js' };
const fileOf = (bundle) => join(folder, `${bundle}.bundle.js`);

/** Native code, files that are looked up by their path, and what most services never load. None of them imports Nest. */
const OUTSIDE = [
  '@node-rs/argon2',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'better-sqlite3',
  'better-sqlite3-13',
  'class-validator',
  'ioredis',
  'jose',
  'mysql2',
  'nodemailer',
  'passport-apple',
  'passport-google-oauth20',
  'passport-jwt',
  'passport-oauth2',
  'pino',
  'pino-pretty',
  'sitemap',
  'swagger-ui-dist',
];

/** Drivers of databases that are not ours: TypeORM requires all of them, and makes none. */
const FOREIGN_DRIVERS =
  /typeorm[\\/]driver[\\/](aurora-\w+|capacitor|cockroachdb|cordova|expo|mongodb|nativescript|oracle|postgres|react-native|sap|spanner|sqljs|sqlserver)[\\/]\w+\.js$/;

const outside = {
  name: 'outside',
  setup({ onResolve, onLoad, resolve: find }) {
    onResolve({ filter: /^[@\w]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'asked' || from.kind === 'entry-point') return undefined;
      const isOutside = OUTSIDE.some((name) => path === name || path.startsWith(`${name}/`));
      if (isOutside) return { path, external: true };
      // Optional packages that are not installed stay what they are: a `require` that fails when it is reached.
      const found = await find(path, { ...from, pluginData: 'asked' });
      return found.errors.length > 0 ? { path, external: true } : undefined;
    });
    onLoad({ filter: FOREIGN_DRIVERS }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** A CommonJS script knows no `import.meta`; files that are found beside a module stay beside it. */
const importMeta = {
  name: 'import-meta',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const place = `__path.join(__dirname, ${JSON.stringify(relative(folder, path))})`;
      const contents = text
        // What a module requires by a `require` of its own is bundled like anything else.
        .replace(/^(?:const|var) require = createRequire\(import\.meta\.url\);$/m, '')
        .replaceAll('import.meta.url', `__url.pathToFileURL(${place}).href`)
        .replaceAll('import.meta.dirname', `__path.dirname(${place})`);
      return { contents, loader: 'js' };
    });
  },
};

/** Names of classes stand in tables of migrations, logs and errors. Naming closures as well took 7 to 9 % of a read. */
function withNamesOfClasses(text) {
  const helper = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';
  if (!text.includes(helper)) throw new Error('esbuild keeps names in another way than before.');
  return text
    .replace(helper, `${helper.replace('__name', '__nameClass')}var __name=(target)=>target;`)
    .replace(/static\s*\{\s*__name\(\s*this,/g, 'static{__nameClass(this,');
}

const options = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // See withNamesOfClasses.
  keepNames: true,
  minifyWhitespace: true,
  // A stack trace names a piece of a hundred characters.
  lineLimit: 100,
  legalComments: 'none',
  charset: 'ascii',
  // A code cache knows no `import()`; Node >= 20.19 requires ES modules.
  supported: { 'dynamic-import': false },
  banner: {
    js: `(function (exports, require, module, __filename, __dirname) { const __path = require('node:path'), __url = require('node:url');`,
  },
  footer: { js: '})' },
  plugins: [outside, importMeta],
  logLevel: 'error',
};

await Promise.all(
  Object.entries(ENTRIES).map(([bundle, entry]) =>
    build({ ...options, entryPoints: [join(folder, entry)], outfile: fileOf(bundle) }),
  ),
);
const { codeCacheOf } = await import(pathToFileURL(join(folder, 'app/bundle.js')).href);
for (const bundle of Object.keys(ENTRIES)) {
  writeFileSync(fileOf(bundle), withNamesOfClasses(readFileSync(fileOf(bundle), 'utf8')));
  writeFileSync(join(folder, `${bundle}.bundle.cache`), codeCacheOf(bundle, folder));
}
