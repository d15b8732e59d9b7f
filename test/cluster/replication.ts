import { OwnServer } from '../support/own-server.js';

const MEMORY = ['--innodb-buffer-pool-size=48M', '--skip-name-resolve'];

/** A MariaDB that is written to, and others that follow it, with data of their own. Needs `mariadbd` on this machine. */
export class Replication {
  private constructor(
    readonly primary: OwnServer,
    readonly replicas: readonly OwnServer[],
  ) {}

  static async start(count: number): Promise<Replication> {
    const [primary, ...replicas] = await Promise.all(
      Array.from({ length: count + 1 }, (_, n) =>
        OwnServer.start([...MEMORY, '--log-bin=binlog', `--server-id=${n + 1}`, '--log-slave-updates']),
      ),
    );
    if (!primary) throw new Error('There is no server.');
    const replication = new Replication(primary, replicas);
    for (const replica of replicas) await replication.follow(replica, primary);
    return replication;
  }

  replica(n: number): OwnServer {
    const replica = this.replicas[n];
    if (!replica) throw new Error(`There is no replica ${n}.`);
    return replica;
  }

  /** Has a server do what another one does from now on. Both have the same data. */
  async follow(follower: OwnServer, leader: OwnServer): Promise<void> {
    const [at] = (await leader.as('root', 'SHOW MASTER STATUS')) as { File: string; Position: number }[];
    const place = `MASTER_LOG_FILE='${at?.File ?? ''}', MASTER_LOG_POS=${at?.Position ?? 0}, MASTER_USE_GTID=no`;
    await follower.as(
      'root',
      `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${leader.port}, MASTER_USER='root', MASTER_CONNECT_RETRY=1, ${place}`,
    );
    await follower.as('root', 'START SLAVE');
    await follower.as('root', 'SET GLOBAL read_only = 1');
  }

  /** Has the other server take the writes, and the present one follow it: nothing that was committed is lost. */
  async change(from: OwnServer, to: OwnServer): Promise<void> {
    await from.as('root', 'SET GLOBAL read_only = 1');
    const [at] = (await from.as('root', 'SHOW MASTER STATUS')) as { File: string; Position: number }[];
    await to.as('root', `SELECT MASTER_POS_WAIT('${at?.File ?? ''}', ${at?.Position ?? 0}, 60)`);
    await to.as('root', 'STOP SLAVE');
    await to.as('root', 'RESET SLAVE ALL');
    await this.follow(from, to);
    await to.as('root', 'SET GLOBAL read_only = 0');
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary, ...this.replicas].map((server) => server.stop()));
  }
}
