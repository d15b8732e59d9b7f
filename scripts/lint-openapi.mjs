/**
 * Lints the OpenAPI document of a service with content types of every kind, by Redocly and by Spectral.
 * Both bring hundreds of packages, so they are fetched for the run and are no dependencies of the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REDOCLY = '@redocly/cli@2.77.0';
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';

/** The indented document of many types has more than a megabyte. */
const MAX_OUTPUT = 16 * 1_048_576;

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lint-openapi-'));
const document = join(folder, 'openapi.json');

const environment = {
  ...process.env,
  NODE_ENV: 'test',
  DATA_DIR: folder,
  DATABASE_URL: `sqlite:${join(folder, 'cms.sqlite')}`,
  PUBLIC_URL: 'https://cms.example.org',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  return { status, stdout, text: `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}` };
}

function cli(...args) {
  const { status, stdout, text } = run(process.execPath, [path('dist/src/cli.js'), ...args]);
  if (status !== 0) throw new Error(`"cli ${args.join(' ')}" failed:\n${text}`);
  return stdout;
}

function redocly() {
  const { stdout, text } = run('npx', ['--yes', REDOCLY, 'lint', document, '--format=json']);
  const start = stdout.indexOf('{');
  if (start < 0) throw new Error(`Redocly did not run:\n${text}`);
  const { totals, problems } = JSON.parse(stdout.slice(start));
  return {
    count: totals.errors + totals.warnings,
    lines: problems.map(({ ruleId, message, location }) => `${ruleId}  ${message}  ${location?.[0]?.pointer ?? ''}`),
  };
}

function spectral() {
  const ruleset = join(folder, 'spectral.json');
  writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const { stdout, text } = run('npx', [
    '--yes',
    SPECTRAL,
    'lint',
    document,
    '--ruleset',
    ruleset,
    '--format=json',
    '--quiet',
  ]);
  const start = stdout.indexOf('[');
  if (start < 0) throw new Error(`Spectral did not run:\n${text}`);
  const problems = JSON.parse(stdout.slice(start, stdout.lastIndexOf(']') + 1));
  return {
    count: problems.length,
    lines: problems.map(({ code, message, path: at }) => `${code}  ${message}  ${at.join('.')}`),
  };
}

function lint() {
  if (!existsSync(path('dist/src/cli.js'))) throw new Error('There is no build yet: npm run build.');
  cli('migrate');
  cli('type', 'apply', path('test/contract/types.json'));
  writeFileSync(document, cli('openapi'));
  const results = { redocly: redocly(), spectral: spectral() };
  for (const [name, { count, lines }] of Object.entries(results)) {
    console.log(`${name}: ${count} problems`);
    for (const line of lines) console.log(`  ${line}`);
  }
  return Object.values(results).every(({ count }) => count === 0);
}

try {
  if (!lint()) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
