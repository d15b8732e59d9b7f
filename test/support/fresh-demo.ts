import { spawn, type ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { builtService } from './built-service.js';
import { ROOT, type Step } from './documented-steps.js';

/** How a session of a shell went. */
export interface Session {
  /** What each step printed, as far as they were run. */
  readonly outputs: readonly string[];
  readonly code: number | null;
  readonly errors: string;
}

const MARK = '=== a step is done ===';
/** The address that documents name; see {@link FreshDemo.environment}. */
const DOCUMENTED = 'localhost:3000';
/** What `.curlrc` does for curl, for programs that fetch. */
const LEAD = '.lead.mjs';
/** `npm run demo` builds the service, which `builtService` has done, and runs the rest. */
const BUILDS = 'node scripts/demo-build.mjs && ';

/** The program of `npm run demo` with a folder and a port of its own: all that it keeps is in that folder. */
export class FreshDemo {
  private readonly process: ChildProcess;
  private readonly ended: Promise<void>;
  private output = '';
  /** Where it really listens. */
  listensOn = 0;

  private constructor(
    private readonly folder: string,
    settings: Readonly<Record<string, string>>,
  ) {
    this.process = spawn('bash', ['-c', `exec ${demoProgram()}`], {
      cwd: folder,
      env: { ...this.environment, ...settings, PORT: '0', PUBLIC_URL: `http://${DOCUMENTED}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.process.on('close', () => {
        resolve();
      });
    });
  }

  /** Starts the demo in an empty folder. @throws with what it wrote, if it ends before it listens */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<FreshDemo> {
    const folder = mkdtempSync(join(tmpdir(), 'cms-tour-'));
    symlinkSync(dirname(builtService()), join(folder, 'dist'));
    for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
    const demo = new FreshDemo(folder, settings);
    const port = await demo.port();
    demo.listensOn = port;
    writeFileSync(join(folder, '.curlrc'), `connect-to = "${DOCUMENTED}:127.0.0.1:${port}"\n`);
    writeFileSync(join(folder, LEAD), leading(port));
    return demo;
  }

  /** A file that the demo has written. */
  file(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** The text of an answer, with headers that `fetch` sets by itself. */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: this.listensOn, path, headers }, (answer) => {
        text(answer).then(resolve, reject);
      })
        .on('error', reject)
        .end();
    });
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs all steps in one session of bash, beside the demo, until one of them fails. */
  run(steps: readonly Step[]): Promise<Session> {
    const script = steps.map(({ commands }) => `${commands.text}\nprintf '%s\\n' '${MARK}'\n`).join('');
    const env = { ...this.environment, NODE_OPTIONS: `--import=${join(this.folder, LEAD)}` };
    const bash = spawn('bash', ['-c', `set -euo pipefail\n${script}`], { cwd: this.folder, env });
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    bash.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    bash.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    bash.stdin.end();
    return new Promise((resolve, reject) => {
      bash.on('error', reject);
      bash.on('close', (code) => {
        const outputs = Buffer.concat(out).toString().split(`${MARK}\n`).slice(0, -1);
        resolve({ outputs, code, errors: Buffer.concat(errors).toString() });
      });
    });
  }

  /** curl finds its `.curlrc` in HOME, which leads to the demo what documents say to port 3000: no line has to be changed. */
  private get environment(): Record<string, string> {
    const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
    return { PATH: path, HOME: this.folder, LC_ALL: 'C.UTF-8', npm_config_update_notifier: 'false' };
  }

  private async port(): Promise<number> {
    for (;;) {
      const isOver = this.process.exitCode !== null;
      const port = /^ +API +http:\/\/localhost:(\d+)/m.exec(this.output)?.[1];
      if (port !== undefined) return Number(port);
      if (isOver) throw new Error(`The demo did not start.\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function leading(port: number): string {
  return `const { fetch } = globalThis;
globalThis.fetch = (url, ...more) => fetch(String(url).replace('//${DOCUMENTED}/', '//127.0.0.1:${port}/'), ...more);
`;
}

/** `node dist/src/demo.js`, as package.json has it. */
function demoProgram(): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { demo: string } };
  if (!scripts.demo.startsWith(BUILDS))
    throw new Error(`npm run demo is ${scripts.demo}, and not a build and a program.`);
  return scripts.demo.slice(BUILDS.length);
}
