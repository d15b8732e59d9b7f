import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { freePort } from './free-port.js';
import { waitFor } from './mailbox.js';

const run = promisify(execFile);
/** Of `/proc/net/tcp`: the connection is there, or the other side has ended it and this one not yet. */
const LIVING = new Set(['01', '08']);

/** A MariaDB of a test alone, which it may stop in the middle of its work. Needs `mariadbd` on this machine. */
export class OwnServer {
  private server: ChildProcess;

  private constructor(
    private readonly folder: string,
    private readonly options: readonly string[],
    readonly port: number,
  ) {
    this.server = this.spawned();
  }

  /** @param more options of `mariadbd` */
  static async start(more: readonly string[] = []): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'cms-server-'));
    const data = `--datadir=${join(folder, 'data')}`;
    // Servers that are made at the same time would take each other's temporary tables away.
    const options = ['--no-defaults', data, `--tmpdir=${folder}`, '--user=root'];
    await run('mariadb-install-db', [...options, '--auth-root-authentication-method=normal', '--skip-test-db']);
    const port = await freePort();
    const place = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`];
    const own = new OwnServer(folder, [...options, ...place, ...more], port);
    await own.answers();
    await own.as('root', 'CREATE DATABASE cms');
    // An account with more rights may write on a server that is read_only.
    await own.as('root', "CREATE USER app@'127.0.0.1'");
    await own.as('root', "GRANT ALL ON `cms`.* TO app@'127.0.0.1'");
    return own;
  }

  get url(): string {
    return `mysql://app@127.0.0.1:${this.port}/cms`;
  }

  /** @returns the rows of one statement, on a connection of its own */
  async as(user: 'root' | 'app', sql: string): Promise<unknown> {
    const connection = await mysql.createConnection({ host: '127.0.0.1', port: this.port, user });
    try {
      return (await connection.query(sql))[0];
    } finally {
      connection.destroy();
    }
  }

  freeze(): void {
    this.server.kill('SIGSTOP');
  }

  thaw(): void {
    this.server.kill('SIGCONT');
  }

  /** Its connections as the system has them, those too that it has not taken up yet. */
  async connections(): Promise<number> {
    const port = this.port.toString(16).toUpperCase().padStart(4, '0');
    const [, ...lines] = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n');
    return lines.filter((line) => {
      const [, local = '', , state = ''] = line.trim().split(/\s+/);
      return local.endsWith(`:${port}`) && LIVING.has(state);
    }).length;
  }

  /** As the loss of its machine would. */
  async kill(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const ended = once(this.server, 'exit');
    this.server.kill('SIGKILL');
    await ended;
  }

  /** After {@link kill}: with the data that it had. */
  async startAgain(): Promise<void> {
    this.server = this.spawned();
    await this.answers();
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private spawned(): ChildProcess {
    return spawn('mariadbd', this.options, { stdio: 'ignore' });
  }

  private answers(): Promise<unknown> {
    return waitFor(() => this.as('root', 'SELECT 1').catch(() => null), 'the server');
  }
}
