import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService } from './built-service.js';
import type { TestDatabase } from './test-database.js';

export const SECRETS = {
  token: 'lifecycle-token-0123456789',
  app: 'lifecycle-app-secret-0123456789-0123456789',
} as const;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program of the service in a process of its own. */
export class Child {
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  private readonly process: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'cms-child-'));

  /**
   * @param environment all of it: nothing of the test's own gets through but the path
   * @param build of another version, as {@link builtService} gives it
   */
  constructor(
    program: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    build = builtService(),
  ) {
    this.process = spawn(process.execPath, [join(build, program), ...args], {
      cwd: this.folder, // where there is no .env
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.process.on('close', (code, signal) => {
        rmSync(this.folder, { recursive: true, force: true });
        resolve({ code, signal });
      });
    });
  }

  /** Address of the service, once it listens. @throws with what the process wrote, if it ends before */
  async address(): Promise<string> {
    for (;;) {
      const isOver = this.process.exitCode !== null;
      const port = /"port":(\d+)[^\n]*"listening"/.exec(this.stdout)?.[1];
      if (port !== undefined) return `http://127.0.0.1:${port}`;
      if (isOver) throw new Error(`The service did not start.\n${this.stdout}\n${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ended> {
    this.process.kill(signal);
    return this.ended;
  }

  /** Lets the process do nothing until {@link resume}. */
  pause(): void {
    this.process.kill('SIGSTOP');
  }

  resume(): void {
    this.process.kill('SIGCONT');
  }

  /** The log, one object a line. */
  get log(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** Settings of a service in production on a database. */
export function production({ url }: Pick<TestDatabase, 'url'>): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'https://cms.example.com',
    APP_SECRET: SECRETS.app,
    DATABASE_URL: url,
    API_TOKENS: `ci=${SECRETS.token}`,
  };
}

/** Sends JSON with the token of {@link production}. */
export function call(address: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${SECRETS.token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
