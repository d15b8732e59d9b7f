import { availableParallelism } from 'node:os';

/** Packages that ship ES modules only: SWC turns them into CommonJS, since Jest's own ESM mode fails on Node 20 and 22. */
const esm = [
  '@nestjs',
  // CommonJS that calls `import()`, which fails in the same way.
  '@opentelemetry/otlp-exporter-base',
  'file-type',
  'load-esm',
  'uint8array-extras',
  'strtok3',
  'token-types',
  '@tokenizer',
  '@borewit',
  '@sindresorhus',
  'escape-string-regexp',
  'diff',
  'csv-parse',
  'csv-stringify',
  'sitemap',
  'htmlparser2',
  'domelementtype',
  'domhandler',
  'domutils',
  'dom-serializer',
  'entities',
  'jose',
  'nodemailer',
  'postal-mime',
];

const swc = (parser) => [
  '@swc/jest',
  {
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser,
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  },
];

// Threads get their options from here, and from nowhere else.
const threads = new URL('test/support/typescript-threads.mjs', import.meta.url);
// Libraries that ship ES modules only are loaded by `require`, of which Node.js 20 says that it is experimental.
// With more room for young objects, which tests make all the time, a tenth of the work of the collector and the tests goes.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${threads.href} --disable-warning=ExperimentalWarning --max-semi-space-size=64`;

/** Modules that test files import are loaded once for a worker, unless coverage is measured: V8 would not see them. */
const shared = process.argv.some((argument) => argument.startsWith('--coverage'))
  ? { testEnvironment: 'node', setupFiles: ['reflect-metadata'] }
  : { testEnvironment: '<rootDir>/test/runner/environment.cjs', runtime: '<rootDir>/test/runner/runtime.cjs' };

/** Options of a run. */
const run = {
  // One more than there are cores: a test that waits for a database or another process leaves its core to the next.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/runner/sequencer.cjs',
  /** Only a hang takes that long: a test must hold on a busy machine. */
  testTimeout: 300_000,
  // What a spec has loaded stays in the heap of its process: a new one takes its place before the collector keeps it busy.
  workerIdleMemoryLimit: '1200MB',
};

/** Options of a kind of tests (`jest.special.config.mjs`). */
const kind = {
  ...shared,
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages', '<rootDir>/admin/src'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@content-service/client$': '<rootDir>/packages/client/src/index.ts',
  },
  transform: {
    '\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '\\.js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')})/)`],
};

export { kind, run };

export default {
  ...run,
  ...kind,
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  // What only a server can do (units of work that overlap) is tested where there is one; what only a file has, without.
  testPathIgnorePatterns: [
    // Run by scripts of their own (`jest.special.config.mjs`).
    '/test/browser/',
    '/test/cluster/',
    '/test/rolling/',
    '\\.nginx\\.e2e-spec\\.ts$',
    '\\.redis\\.e2e-spec\\.ts$',
    '\\.slow\\.e2e-spec\\.ts$',
    '\\.timed\\.(spec|e2e-spec)\\.ts$',
    ...(process.env.TEST_DATABASE_URL
      ? [
          '/src/database/sqlite/checkpoints\\.spec\\.ts$',
          '/src/records/reading/list-plan\\.spec\\.ts$',
          // What a client, a gateway, a reader of the documents and a terminal see is the same on every database.
          '/test/(clients|demo|gateway)/',
          '/test/cli/[^/]+$',
        ]
      : ['/src/search/fulltext/fulltext-search-index\\.spec\\.ts$']),
  ],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/main.ts', '!src/demo.ts'],
};
