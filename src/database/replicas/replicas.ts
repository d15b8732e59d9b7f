import { createHash } from 'node:crypto';
import { mayWrite, type Caller } from '../../common/access/caller.js';
import type { ClockReading } from '../servers/host.js';
import type { PoolState } from '../servers/pool-state.js';
import type { Servers } from '../servers/servers.js';
import type { Reader } from '../statements/reads.js';
import type { Heartbeats } from './heartbeats.js';
import type { Replica } from './replica.js';
import { ReplicaAffinity } from './replica-affinity.js';

/** A heartbeat is older than this only while the instance that writes them is gone. */
const MISSED_AFTER_MS = 1_500;
/** So long probes, which come as often as heartbeats, see the same one only then. The clock of the database does not matter. */
const SAME_AFTER_MS = 2_500;

/** How a replica does, for those who look after it. */
export interface ReplicaState {
  readonly name: string;
  /** Whether requests may go there. */
  readonly isFit: boolean;
  readonly isOpen: boolean;
  /** `null`: it does not answer. */
  readonly lagMs: number | null;
  readonly pool: PoolState;
}

interface Parts {
  readonly replicas: readonly Replica[];
  /** Reads the server that is written to. */
  readonly writer: Reader;
  readonly heartbeats: Heartbeats;
  readonly servers: Servers;
}

/** The replicas of the database. Callers who may not write read them, each caller the same one. */
export class Replicas {
  private readonly affinities: readonly ReplicaAffinity[];
  private readonly known = new WeakMap<Caller, ReplicaAffinity | null>();

  constructor(private readonly parts: Parts) {
    const { replicas, writer, heartbeats } = parts;
    this.affinities = replicas.map(
      (_, home) => new ReplicaAffinity([...replicas.slice(home), ...replicas.slice(0, home)], writer, heartbeats),
    );
  }

  get states(): readonly ReplicaState[] {
    return this.parts.replicas.map(({ name, isFit, isOpen, lagMs, poolState }) => ({
      name,
      isFit,
      isOpen,
      lagMs,
      pool: poolState,
    }));
  }

  /** Where a caller reads; `null`: the server that is written to, since they may write. */
  readerOf(caller: Caller): Reader | null {
    const known = this.known.get(caller);
    if (known !== undefined) return known;
    const affinity = mayWrite(caller) ? null : (this.affinities[numberOf(caller) % this.affinities.length] ?? null);
    this.known.set(caller, affinity);
    return affinity;
  }

  /** Has callers leave replicas that are not fit, and come back to those that are again. To be called each second. */
  async settle(): Promise<void> {
    await this.keepBeating();
    await Promise.all(this.affinities.map((affinity) => affinity.settle()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.parts.replicas.map((replica) => replica.end()));
  }

  private async keepBeating(): Promise<void> {
    const { clock } = this.parts.servers.host ?? {};
    if (clock && isMissed(clock)) await this.parts.heartbeats.beat();
  }
}

function isMissed({ now, beat, at, beatSince }: ClockReading): boolean {
  return now - beat > MISSED_AFTER_MS || at - beatSince > SAME_AFTER_MS;
}

/** The same in every process. */
function numberOf({ kind, id, name }: Caller): number {
  const text = `${kind}:${id ?? name}`;
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
