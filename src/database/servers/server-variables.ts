import type { RowDataPacket } from 'mysql2';
import type { PacketLimit } from '../dialect/packet-limit.js';

/**
 * The time by the clock of a server: milliseconds since 1970, UTC. Not `UNIX_TIMESTAMP`, which says one hour twice where
 * the zone of the session ends its summer time.
 */
export const SERVER_TIME = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

/** Variables of a server that decide how it is used. A server omits those that it does not have. */
export const VARIABLES =
  "SHOW VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'wsrep_on', 'group_replication_group_name')";

/** A session that writes begins no unit of work before this node has what others had committed by then. */
export const WAIT_FOR_OTHERS = 'SET SESSION wsrep_sync_wait = 1';

/** @returns whether the server is a node of Galera */
export function learnVariables(rows: readonly RowDataPacket[], packets: PacketLimit): boolean {
  const variables = new Map(rows.map(({ Variable_name: name, Value: value }) => [name as string, value as string]));
  packets.learn(Number(variables.get('max_allowed_packet')));
  const isGalera = variables.get('wsrep_on') === 'ON';
  packets.isOfCluster = isGalera || (variables.get('group_replication_group_name') ?? '') !== '';
  return isGalera;
}
