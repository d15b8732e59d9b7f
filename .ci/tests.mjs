// Runs one of the test scripts of package.json. A file that fails runs once more, alone, after all others: what passes then is flaky,
// and is named. The summary goes to a file, which `.ci/run` adds to those of other scripts.
//
//   node .ci/tests.mjs SUMMARY SCRIPT [ARGUMENT…]      the arguments choose files of the first run
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A run in which more files fail is broken, and not unlucky. */
const MOST_REPEATED = 10;

const [summary, script, ...selection] = process.argv.slice(2);

/** @returns the report of Jest; `null`: there is none */
function run(...choice) {
  const report = `${summary}.report`;
  rmSync(report, { force: true });
  const options = ['--ci', '--forceExit', '--json', `--outputFile=${report}`];
  spawnSync('npm', ['run', script, '--', ...options, ...choice], { stdio: ['ignore', 'inherit', 'inherit'] });
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
}

const count = (results, status) =>
  results.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;
/** Tests that failed; a file that could not be loaded counts as one. */
const failuresOf = (results) =>
  results.reduce((sum, file) => sum + (file.status === 'failed' ? Math.max(1, count([file], 'failed')) : 0), 0);
const namesOf = ({ assertionResults }) =>
  assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);

const first = run(...selection);
const broken = first?.testResults.filter(({ status }) => status === 'failed') ?? [];
const settled = first?.testResults.filter(({ status }) => status !== 'failed') ?? [];
const flaky = [];
if (broken.length > MOST_REPEATED) settled.push(...broken);
else {
  for (const file of broken) {
    const path = relative(process.cwd(), file.name);
    console.log(`\nOnce more, alone: ${path}`);
    const report = run('--runInBand', '--runTestsByPath', path);
    // A second run that finds no test proves nothing.
    const again = report?.testResults.length > 0 ? report.testResults : [file];
    settled.push(...again);
    if (failuresOf(again) === 0)
      flaky.push(...(namesOf(file).length > 0 ? namesOf(file) : ['as a whole']).map((name) => ({ path, name })));
  }
}
// A run without a report, or one that Jest calls failed though no file did, such as one of no tests at all.
const isLost = first === null || (!first.success && broken.length === 0);
const failed = failuresOf(settled) + (isLost ? 1 : 0);
writeFileSync(summary, JSON.stringify({ passed: count(settled, 'passed'), failed, flaky }));
process.exit(failed === 0 ? 0 : 1);
