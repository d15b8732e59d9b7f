import 'reflect-metadata';
import { text } from 'node:stream/consumers';
import { readDatabase, readSettings } from '../config/settings.js';
import { keepNewFilesPrivate } from '../config/values/private-files.js';
import { runCommand } from './run.js';

const terminal = {
  out: (lines: string) => process.stdout.write(`${lines}\n`),
  error: (lines: string) => process.stderr.write(`${lines}\n`),
  standardInput: () => text(process.stdin),
  standardOutput: () => process.stdout,
};

/** Runs the command that the words behind the name of the program give. */
export async function run(): Promise<void> {
  // The reader of a pipe may end at any time; there is no other place left for the error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  keepNewFilesPrivate();
  // The same rule as for `npm start`: what NODE_ENV does not say is production.
  process.exitCode = await runCommand(process.argv.slice(2), terminal, {
    settings: readSettings,
    database: readDatabase,
  });
  // What was opened before a failure would keep the process alive.
  if (process.exitCode !== 0) setTimeout(() => process.exit(), 100).unref();
}
