import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { declareTypes } from '../support/contract-types.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const ROOT = join(import.meta.dirname, '..', '..');
/** Compilers and generators are slow where others use the machine as well. */
const PATIENCE = 300_000;

const run = promisify(execFile);

/** The programs of this folder are checked as strictly as a compiler can, the generated code with them. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'bundler',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    esModuleInterop: true,
    preserveSymlinks: true,
    outDir: 'out',
  },
  include: ['*.ts'],
};

describe('Clients that are generated from the OpenAPI document', () => {
  let service: TestApp;
  let folder: string;

  /** Runs a script of a package in the folder. What it prints is shown when it fails. */
  const script = async (path: string, ...args: string[]): Promise<void> => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      SERVICE_URL: await service.app.getUrl(),
      SERVICE_TOKEN: TOKENS.admin,
    };
    await run(process.execPath, [path, ...args], { cwd: folder, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${path} failed:\n${stdout}${stderr}`);
    });
  };
  const bin = (path: string): string => join(ROOT, 'node_modules', path);

  beforeAll(async () => {
    service = await startTestApp();
    await declareTypes(service);
    folder = await mkdtemp(join(tmpdir(), 'clients-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true });
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
    const { text } = await service.anonymous().get('/api/openapi.json');
    await writeFile(join(folder, 'openapi.json'), text);
    await Promise.all([
      script(bin('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.d.ts'),
      script(bin('@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'hey', '--no-log-file'),
    ]);
  }, PATIENCE);

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'compile, know the fields of each type, and refuse what the service would refuse',
    async () => {
      await script(bin('typescript/bin/tsc'), '-p', '.');
    },
    PATIENCE,
  );

  it.each(['openapi-fetch', 'hey-api'])(
    '%s lists, filters, sorts, picks, creates, changes, rolls back, and reports what has failed',
    async (program) => {
      await script(join('out', `${program}.js`));
    },
    PATIENCE,
  );
});
