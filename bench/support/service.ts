import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LongestHold } from './loop-watch.js';
import { DATABASE_URL, DATA_DIR, LOG_LEVEL, TOKEN } from './options.js';

const DIST = join(import.meta.dirname, '../..');
const START_LIMIT_MS = 20_000;
const CLOCK_TICKS_PER_SECOND = 100;
/** The service and the commands beside it work on one database, which knows one secret. */
const APP_SECRET = 'bench-only-0123456789abcdef0123456789abcdef';
const canPin = process.platform === 'linux' && cpus().length > 1;

/** Has the service measure how long its event loop is held. */
export const LOOP_WATCH = ['--import', join(DIST, 'bench/support/loop-watch.js')];

export const AUTHORIZATION = `Bearer ${TOKEN}`;

/** Keeps this process, which plays the clients, away from the core of the server. */
export function pinClient(): void {
  if (canPin) execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
  else process.stderr.write('The processes are not pinned to cores: expect more noise.\n');
}

/** A running service on a core of its own, in production mode. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From the start of the process to the first answer, milliseconds. */
    readonly startMs: number,
  ) {}

  /** @param script below `dist` */
  static async start(
    script: string,
    nodeOptions: string[] = [],
    extra: NodeJS.ProcessEnv = {},
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const command = [process.execPath, ...nodeOptions, join(DIST, script)];
    const [program = '', ...args] = canPin ? ['taskset', '-c', '0', ...command] : command;
    const started = performance.now();
    const child = spawn(program, args, {
      stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
      env: { ...process.env, ...environment(port, url), ...extra },
    });
    process.once('exit', () => child.kill('SIGKILL'));
    await answering(child, `${url}/health/live`);
    return new ServiceProcess(child, url, performance.now() - started);
  }

  /** Seconds of CPU that the process has used so far. */
  cpuSeconds(): number {
    // After the name, which may hold spaces: the 14th and 15th field.
    const fields = this.procFile('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  }

  residentMiB(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(this.procFile('status'))?.[1]) / 1024;
  }

  openFiles(): number {
    return readdirSync(`/proc/${this.child.pid ?? 0}/fd`).length;
  }

  /** The longest hold of the event loop since the last call. The service has to be started with {@link LOOP_WATCH}. */
  longestHold(): Promise<LongestHold> {
    return new Promise((resolve) => {
      this.child.once('message', (held) => {
        resolve(held as LongestHold);
      });
      this.child.send('longest hold');
    });
  }

  async stop(): Promise<void> {
    const isStopped = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await isStopped;
  }

  private procFile(name: string): string {
    return readFileSync(`/proc/${this.child.pid ?? 0}/${name}`, 'utf8');
  }
}

/** Runs a command of the command line beside the clients. @throws {Error} it fails */
export async function command(databaseUrl: string, args: readonly string[]): Promise<void> {
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    APP_SECRET,
    DATABASE_URL: databaseUrl,
    DATA_DIR,
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [join(DIST, 'src/cli.js'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The command ${args.join(' ')} ended with ${String(code)}.`);
}

function environment(port: number, url: string): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    APP_SECRET,
    DATABASE_URL,
    DATA_DIR,
    API_TOKENS: `bench=${TOKEN}`,
    RATE_LIMITS: 'off',
    LOG_LEVEL,
  };
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < START_LIMIT_MS) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(5);
  }
  throw new Error('The service does not answer.');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
