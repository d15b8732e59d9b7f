import mysql from 'mysql2/promise';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROVIDERS = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib/x86_64-linux-gnu/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
];
/** As the manual of the service recommends it: a node that is gone is given up after two seconds. */
const TIMES =
  'evs.suspect_timeout=PT2S;evs.inactive_timeout=PT5S;evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.install_timeout=PT5S';

/** What a node says that does not have yet what the others have: it waits in vain, or has not joined them. */
const COMING_BACK = new Set(['ER_LOCK_WAIT_TIMEOUT', 'ER_UNKNOWN_COM_ERROR']);

/** Ports of a node, all on this machine. */
interface Ports {
  readonly sql: number;
  readonly group: number;
  readonly increments: number;
  readonly transfer: number;
}

/**
 * A cluster of MariaDB nodes on this machine, with data of its own in a temporary folder. Needs `mariadbd`, its Galera
 * provider and `rsync` (Debian: `mariadb-server galera-4 rsync`).
 */
export class Galera {
  private constructor(
    private readonly folder: string,
    readonly nodes: readonly Node[],
  ) {}

  static async start(count = 3): Promise<Galera> {
    const folder = await mkdtemp(join(tmpdir(), 'cms-galera-'));
    const ports = await freePorts(count);
    const group = ports.map((one) => `127.0.0.1:${one.group}`).join(',');
    const cluster = new Galera(
      folder,
      ports.map((own, n) => new Node(join(folder, `n${n + 1}`), own, group)),
    );
    const [first] = cluster.nodes;
    for (const node of cluster.nodes) await node.prepare();
    if (isRoot()) execFileSync('chown', ['-R', serverUser(), folder]);
    first?.install();
    for (const node of cluster.nodes) await node.start(node === first ? ['--wsrep-new-cluster'] : []);
    return cluster;
  }

  /** A new, empty database on all nodes. */
  async createDatabase(name: string): Promise<void> {
    await this.node(0).query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  }

  node(n: number): Node {
    const node = this.nodes[n];
    if (!node) throw new Error(`There is no node ${n}.`);
    return node;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** One server of a cluster. */
export class Node {
  private server: ChildProcess | null = null;

  constructor(
    private readonly folder: string,
    private readonly ports: Ports,
    private readonly group: string,
  ) {}

  url(database = ''): string {
    return `mysql://root@127.0.0.1:${this.ports.sql}/${database}`;
  }

  async prepare(): Promise<void> {
    await mkdir(this.data, { recursive: true });
    await writeFile(join(this.folder, 'my.cnf'), this.configuration());
  }

  /** Makes the tables of the server itself, which the other nodes get from the first one. */
  install(): void {
    const options = ['--no-defaults', `--datadir=${this.data}`, '--auth-root-authentication-method=normal'];
    execFileSync('mariadb-install-db', [...options, `--user=${serverUser()}`, '--skip-test-db'], { stdio: 'ignore' });
  }

  /** Starts the server, and waits until it has all that the cluster has. */
  async start(options: readonly string[] = []): Promise<void> {
    const file = join(this.folder, 'my.cnf');
    this.server = spawn('mariadbd', [`--defaults-file=${file}`, ...options], { stdio: 'ignore' });
    while ((await this.state()) !== 'Synced') {
      if (this.server.exitCode !== null) throw new Error(await readFile(join(this.folder, 'err.log'), 'utf8'));
      await sleep(200);
    }
  }

  /** What the node says of its place in the cluster; `null`: it does not answer. */
  async state(): Promise<string | null> {
    const rows = await this.query("SHOW STATUS LIKE 'wsrep_local_state_comment'").catch(() => []);
    return (rows[0]?.Value as string | undefined) ?? null;
  }

  /** Reads once the node has what all nodes have committed by now: one that comes back to its cluster refuses until then. */
  async latest(sql: string): Promise<mysql.RowDataPacket[]> {
    for (;;) {
      try {
        return await this.query(sql, 'SET SESSION wsrep_sync_wait = 1');
      } catch (error) {
        if (!COMING_BACK.has((error as { code?: string }).code ?? '')) throw error;
        await sleep(200);
      }
    }
  }

  /** @param setting is made before */
  async query(sql: string, setting?: string): Promise<mysql.RowDataPacket[]> {
    const connection = await this.connect();
    try {
      if (setting !== undefined) await connection.query(setting);
      const [rows] = await connection.query<mysql.RowDataPacket[]>({ sql, timeout: 30_000 });
      return rows;
    } finally {
      connection.destroy();
    }
  }

  connect(): Promise<mysql.Connection> {
    return mysql.createConnection({ uri: this.url(), connectTimeout: 2_000 });
  }

  /** As the loss of its machine would. */
  async kill(): Promise<void> {
    const { server } = this;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  /** Lets the server do nothing until {@link thaw}, while its connections stay. */
  freeze(): void {
    this.server?.kill('SIGSTOP');
  }

  thaw(): void {
    this.server?.kill('SIGCONT');
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private configuration(): string {
    const { sql, group, increments, transfer } = this.ports;
    const listening = `base_host=127.0.0.1;base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${increments}`;
    return `[mysqld]
user=${serverUser()}
datadir=${this.data}
socket=${join(this.folder, 'socket')}
pid-file=${join(this.folder, 'pid')}
log-error=${join(this.folder, 'err.log')}
port=${sql}
bind-address=127.0.0.1
skip-name-resolve
binlog_format=ROW
default_storage_engine=InnoDB
innodb_autoinc_lock_mode=2
innodb_buffer_pool_size=96M
max_connections=200
wsrep_on=ON
wsrep_provider=${provider()}
wsrep_cluster_name=test
wsrep_cluster_address=gcomm://${this.group}
wsrep_node_address=127.0.0.1:${group}
wsrep_sst_method=rsync
wsrep_sst_receive_address=127.0.0.1:${transfer}
wsrep_slave_threads=4
wsrep_provider_options="${listening};gcache.size=64M;${TIMES}"
`;
  }
}

function provider(): string {
  const found = [process.env.GALERA_PROVIDER ?? '', ...PROVIDERS].find((path) => path !== '' && existsSync(path));
  if (found === undefined) throw new Error('There is no libgalera_smm.so: install galera-4, or set GALERA_PROVIDER.');
  return found;
}

function isRoot(): boolean {
  return userInfo().uid === 0;
}

/** An rsync that root starts could not write what nodes send each other. */
function serverUser(): string {
  return isRoot() ? 'mysql' : userInfo().username;
}

async function freePorts(count: number): Promise<Ports[]> {
  const servers = await Promise.all(Array.from({ length: count * 4 }, listening));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return Array.from({ length: count }, (_, n) => {
    const [sql = 0, group = 0, increments = 0, transfer = 0] = ports.slice(n * 4);
    return { sql, group, increments, transfer };
  });
}

function listening(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}
