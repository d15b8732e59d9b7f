import { Injectable } from '@nestjs/common';
import type { FoundInstance } from '../database/instances/found-instances.js';
import { Instances } from '../database/instances/instances.js';
import type { FoundLease } from '../database/leases/found-leases.js';
import { Leases } from '../database/leases/leases.js';

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

/** What administrators are shown of the processes of the service. */
export interface AdminHealthView {
  /** The one that answers. */
  readonly instance: string;
  readonly instances: readonly InstanceView[];
  readonly leases: readonly LeaseView[];
}

/** What the processes of the service know of each other. */
@Injectable()
export class AdminHealth {
  constructor(
    private readonly instances: Instances,
    private readonly leases: Leases,
  ) {}

  async view(): Promise<AdminHealthView> {
    const [living, leases] = await Promise.all([this.instances.living(), this.leases.all()]);
    const ids = new Set(living.map(({ id }) => id));
    return {
      instance: this.instances.id,
      instances: living.map(instanceView),
      leases: leases.map((lease) => leaseView(lease, ids)),
    };
  }
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

function iso(time: number): string {
  return new Date(time).toISOString();
}
