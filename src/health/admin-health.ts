import { Inject, Injectable } from '@nestjs/common';
import { DerivedIndexes, type DerivedIndexReport } from '../common/derived-indexes.js';
import { Dialect } from '../database/dialect/dialect.js';
import type { FoundInstance } from '../database/instances/found-instances.js';
import { Instances } from '../database/instances/instances.js';
import type { FoundLease } from '../database/leases/found-leases.js';
import { Leases } from '../database/leases/leases.js';
import { Replicas, type ReplicaState } from '../database/replicas/replicas.js';
import { POOLS } from '../database/servers/pool-state.js';
import type { HostState } from '../database/servers/servers.js';

interface InstanceView {
  readonly id: string;
  readonly version: string;
  readonly schema: string;
  readonly host: string;
  readonly started_at: string;
  readonly seen_at: string;
}

interface LeaseView {
  readonly name: string;
  readonly instance: string | null;
  readonly epoch: number;
  readonly until: string | null;
}

interface PoolView {
  readonly active: number;
  readonly idle: number;
  readonly held: number;
  readonly connecting: number;
  readonly waiting: number;
}

/** A server of the database, as the process that answers sees it. */
interface HostView {
  readonly name: string;
  readonly is_current: boolean;
  readonly is_answering: boolean;
}

interface ReplicaView {
  readonly name: string;
  readonly is_read: boolean;
  readonly lag_seconds: number | null;
  readonly pool: PoolView;
}

interface DatabaseView {
  readonly hosts: readonly HostView[];
  readonly pools: readonly (PoolView & { readonly name: string })[];
  readonly replicas: readonly ReplicaView[];
}

/** An index that is made from the database. */
interface IndexView {
  readonly name: string;
  readonly state: DerivedIndexReport['state'];
  readonly reason: DerivedIndexReport['reason'];
  readonly changes_behind: number | null;
  readonly oldest_seconds: number | null;
}

/** The processes of the service, as administrators see them. */
export interface AdminHealthView {
  /** The one that answers. */
  readonly instance: string;
  readonly instances: readonly InstanceView[];
  readonly leases: readonly LeaseView[];
  readonly database: DatabaseView;
  readonly indexes: readonly IndexView[];
}

/** What the processes of the service know of each other, and this one of the servers of the database. */
@Injectable()
export class AdminHealth {
  constructor(
    private readonly instances: Instances,
    private readonly leases: Leases,
    private readonly dialect: Dialect,
    private readonly derived: DerivedIndexes,
    @Inject(Replicas) private readonly replicas: Replicas | null,
  ) {}

  async view(): Promise<AdminHealthView> {
    const [living, leases, indexes] = await Promise.all([
      this.instances.living(),
      this.leases.all(),
      this.derived.all(),
    ]);
    const ids = new Set(living.map(({ id }) => id));
    return {
      instance: this.instances.id,
      instances: living.map(instanceView),
      leases: leases.map((lease) => leaseView(lease, ids)),
      database: this.database(),
      indexes: indexes.map(indexView),
    };
  }

  private database(): DatabaseView {
    const { servers } = this.dialect;
    return {
      hosts: (servers?.hostStates ?? []).map(hostView),
      pools: (servers?.poolStates ?? []).map((state, at) => ({ name: POOLS[at] ?? 'other', ...state })),
      replicas: (this.replicas?.states ?? []).map(replicaView),
    };
  }
}

function hostView({ name, isCurrent, isOpen }: HostState): HostView {
  return { name, is_current: isCurrent, is_answering: !isOpen };
}

function replicaView({ name, isFit, lagMs, pool }: ReplicaState): ReplicaView {
  return { name, is_read: isFit, lag_seconds: lagMs === null ? null : Math.round(lagMs) / 1_000, pool };
}

function instanceView({ id, version, schemaName, host, startedAt, seenAt }: FoundInstance): InstanceView {
  return { id, version, schema: schemaName, host, started_at: iso(startedAt), seen_at: iso(seenAt) };
}

function leaseView({ name, owner, epoch, untilAt }: FoundLease, living: ReadonlySet<string>): LeaseView {
  const isGivenBack = untilAt === 0;
  return {
    name,
    instance: !isGivenBack && living.has(owner) ? owner : null,
    epoch,
    until: isGivenBack ? null : iso(untilAt),
  };
}

function indexView({ name, state, reason, changesBehind, oldestSeconds }: DerivedIndexReport): IndexView {
  return { name, state, reason, changes_behind: changesBehind, oldest_seconds: oldestSeconds };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
