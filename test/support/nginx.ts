import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './mailbox.js';
import { ROOT } from './documented-steps.js';

/** In the place of a text of a configuration, another one: an address, a path, a time. */
export type Substitutions = Readonly<Record<string, string>>;

const FOLDER = 'deploy/nginx';
/** Where the files of `deploy/nginx` expect what belongs to them. */
const INSTALLED = '/etc/nginx/content-service';
const LOGS = '/var/log/nginx';

/** An nginx with one of the configurations of `deploy/nginx`, as it stands there but for what is substituted. */
export class Nginx {
  private stderr = '';

  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /**
   * @param file of `deploy/nginx`
   * @param port where it will answer, once its addresses are substituted
   * @param files what lies beside `hop.conf`, by name
   * @throws with what nginx says, if it does not start
   */
  static async start(
    file: string,
    port: number,
    substitutions: Substitutions,
    files: Readonly<Record<string, string>> = {},
  ): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'cms-nginx-'));
    const put = (name: string, text: string): void => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    };
    for (const [name, text] of Object.entries(files)) put(name, text);
    const [own, shared] = [file, 'hop.conf'].map((name) => readFileSync(join(ROOT, FOLDER, name), 'utf8'));
    const [server = '', hop = ''] = substituted([own ?? '', shared ?? ''], {
      ...substitutions,
      [INSTALLED]: folder,
      [LOGS]: folder,
    });
    put('server.conf', server);
    put('hop.conf', hop);
    put('nginx.conf', mainOf(folder));
    const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    });
    const nginx = new Nginx(folder, child);
    await nginx.answers(port);
    return nginx;
  }

  /** What it has written into a log. */
  log(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    if (this.process.exitCode === null) {
      this.process.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answers(port: number): Promise<void> {
    const failed = once(this.process, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
    await Promise.race([waitFor(() => this.isOpen(port), 'nginx'), failed]);
  }

  private isOpen(port: number): Promise<true | null> {
    if (this.process.exitCode !== null) throw new Error(`nginx did not start.\n${this.stderr}`);
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(null);
      });
    });
  }
}

/** @throws where a text to replace is in none of the files: they have changed, and the test has to */
function substituted(texts: readonly string[], substitutions: Substitutions): string[] {
  return Object.entries(substitutions).reduce<string[]>(
    (now, [from, to]) => {
      if (!now.some((text) => text.includes(from))) throw new Error(`No file of ${FOLDER} has ${from}.`);
      return now.map((text) => text.replaceAll(from, to));
    },
    [...texts],
  );
}

/** What a machine has around the block of a service: two workers, as on two processors. */
function mainOf(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'];
  return [
    process.getuid?.() === 0 ? 'user root;' : '',
    'daemon off;',
    'worker_processes 2;',
    `pid ${join(folder, 'nginx.pid')};`,
    'error_log stderr warn;',
    'events { worker_connections 1024; }',
    'http {',
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    'access_log off;',
    `include ${join(folder, 'server.conf')};`,
    '}',
    '',
  ].join('\n');
}
