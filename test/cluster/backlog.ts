import type { Connection } from 'mysql2/promise';
import type { Galera, Node } from './galera.js';

/** To change them keeps a node busy for a second or more. */
const ROWS = 200_000;

/** Makes what a {@link Backlog} consists of. */
export async function prepareBacklogs(cluster: Galera): Promise<void> {
  await cluster.createDatabase('ballast');
  await cluster.node(0).query('CREATE TABLE ballast.stones (id INT PRIMARY KEY, n INT NOT NULL)');
  await cluster.node(0).query(`INSERT INTO ballast.stones SELECT seq, 0 FROM ballast.seq_1_to_${ROWS}`);
}

/**
 * A transaction that is done on its node, and keeps the others busy from its commit on. What touches the same row after
 * it waits behind it there: other nodes take writes meanwhile as if that had not happened.
 */
export class Backlog {
  private constructor(private readonly connection: Connection) {}

  /** @param touch changes the row */
  static async on(node: Node, touch: string): Promise<Backlog> {
    const connection = await node.connect();
    await connection.query('START TRANSACTION');
    await connection.query('UPDATE ballast.stones SET n = n + 1');
    await connection.query(touch);
    return new Backlog(connection);
  }

  async commit(): Promise<void> {
    await this.connection.query('COMMIT');
    this.connection.destroy();
  }
}
