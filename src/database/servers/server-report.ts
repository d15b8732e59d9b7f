import type { RowDataPacket } from 'mysql2';
import type { SideConnection } from './side-connection.js';

/** Variables and status values of a server, for `doctor`. */
export interface ServerReport {
  readonly name: string;
  /** Its variables and figures by name; `null`: it does not answer. */
  readonly variables: ReadonlyMap<string, string> | null;
}

const STATEMENTS = [
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'read_only', 'max_connections', 'wsrep_on', 'group_replication_group_name')`,
  `SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Max_used_connections', 'wsrep_cluster_status')`,
];

/** @param side a connection for this alone, which is closed afterwards */
export async function variablesOf(side: SideConnection): Promise<ServerReport['variables']> {
  try {
    const variables = new Map<string, string>();
    for (const sql of STATEMENTS)
      for (const [name, value] of (await side.ask(sql)).map(pair)) variables.set(name, value);
    return variables;
  } catch {
    return null;
  } finally {
    side.close();
  }
}

function pair({ Variable_name: name, Value: value }: RowDataPacket): [string, string] {
  return [String(name), String(value)];
}
