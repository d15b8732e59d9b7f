import { Writable } from 'node:stream';
import { runCommand } from '../../src/cli/run.js';
import { readDatabase, readSettings } from '../../src/config/settings.js';
import { CHEAP_PASSWORDS } from './test-app.js';

/** How a command ended, and what it wrote. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs commands in this process with these settings: by a line of words, or by the words themselves. */
export function runner(environment: Record<string, string>) {
  return async (line: string | readonly string[], input = ''): Promise<Ran> => {
    const [out, error]: [string[], string[]] = [[], []];
    const code = await runCommand(
      typeof line === 'string' ? line.split(' ') : line,
      {
        out: (text) => void out.push(text),
        error: (text) => void error.push(text),
        standardInput: () => Promise.resolve(input),
        standardOutput: () =>
          new Writable({
            write: (chunk: Buffer, _, done) => {
              out.push(chunk.toString());
              done();
            },
          }),
      },
      {
        settings: () => Object.assign(readSettings('test', environment), CHEAP_PASSWORDS),
        database: () => readDatabase('test', environment),
      },
    );
    return { code, out: out.join('\n'), error: error.join('\n') };
  };
}
