import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { JobLeases } from '../common/jobs/job-leases.js';
import { LOG } from '../common/logging/logging.module.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Tracing } from '../common/tracing/tracing.js';
import { AppSecretEntity } from './app-secret.entity.js';
import { Checkpoints } from './checkpoints/checkpoints.js';
import { DatabaseMetrics } from './database-metrics.js';
import { DatabaseJobs } from './database-jobs.js';
import { Instance } from './instances/instance.entity.js';
import { Instances } from './instances/instances.js';
import { Lease } from './leases/lease.entity.js';
import { Leases } from './leases/leases.js';
import { openDataSource } from './schema/data-source.js';
import { dialectFor } from './dialect/dialect-for.js';
import { Dialect } from './dialect/dialect.js';
import { migrate, pendingMigrations } from './schema/migrate.js';
import { requireKnownSchema } from './schema/newer-schema-error.js';
import { ReadingThreads } from './reading-threads/reading-threads.js';
import { Heartbeat } from './replicas/heartbeat.entity.js';
import { Heartbeats } from './replicas/heartbeats.js';
import { openReplicas, replicatedServers } from './replicas/open-replicas.js';
import { ReplicaJobs } from './replicas/replica-jobs.js';
import { Replicas } from './replicas/replicas.js';
import { AgreedTime } from './units/agreed-time.js';
import { Reads } from './statements/reads.js';
import { SlowQueries } from './statements/slow-queries.js';
import { readSpan, traceReads } from './statements/traced-reads.js';
import { EarlierUnits } from './units/earlier-units.js';
import { Freezes } from './units/freezes.js';
import { Reauthorization } from './units/reauthorization.js';
import { UnitOfWork } from './units/unit-of-work.js';
import { requireSharedSecret } from './shared-secret.js';
import { requireRestored } from './schema/unfinished-restore.js';
import { Writer } from './statements/writer.js';

/** Opens the database and sees to it that its tables fit this version of the service. */
async function openWriter(settings: Settings): Promise<Writer> {
  const { database, mode } = settings;
  const writer = await Writer.open(dialectFor(database));
  try {
    await prepare(writer, database.kind === 'sqlite' || mode !== 'production');
    await requireSharedSecret(writer, settings);
    writer.dialect.servers?.watch();
    return writer;
  } catch (error) {
    await writer.source.destroy();
    throw error;
  }
}

async function prepare(writer: Writer, mayMigrate: boolean): Promise<void> {
  await requireRestored(writer.source);
  await requireKnownSchema(writer.source);
  if (mayMigrate) {
    await migrate(writer);
    return;
  }
  const pending = await pendingMigrations(writer);
  if (pending.length === 0) return;
  throw new DomainError(
    'not_ready',
    `The database lacks ${pending.length} migrations (${pending.join(', ')}). Run: npm run migrate.`,
  );
}

/** A list that goes through a million records takes a few seconds. */
const LONG_READS = { size: 2, waiting: 64, deadlineMs: 10_000 };

function readsOf(
  source: DataSource,
  { source: writing, dialect }: Writer,
  slow: SlowQueries,
  replicas: Replicas | null,
  { isOn: isTraced }: Tracing,
): Reads {
  slow.watch(source);
  slow.watch(writing);
  if (isTraced) traceReads(source, dialect);
  const file = dialect.fileForThreads;
  const threads = file === null ? null : new ReadingThreads(file, 'list', LONG_READS);
  const took = (sql: string, ms: number): void => {
    slow.took(sql, ms);
  };
  return new Reads(source, threads, took, replicas, (sql) => readSpan(dialect, sql));
}

/** @returns `null`: there are no replicas, and so no heartbeats */
function heartbeatsOf(settings: Settings, units: UnitOfWork, { now }: Dialect): Heartbeats | null {
  return replicatedServers(settings) === null ? null : new Heartbeats(units, now);
}

function replicaJobsOf(replicas: Replicas | null, log: Logger): ReplicaJobs | null {
  return replicas && new ReplicaJobs(replicas, log);
}

@Global()
@Module({
  providers: [
    { provide: Writer, inject: [Settings], useFactory: openWriter },
    { provide: Dialect, inject: [Writer], useFactory: (writer: Writer) => writer.dialect },
    EarlierUnits,
    Freezes,
    Reauthorization,
    UnitOfWork,
    Checkpoints,
  ],
  exports: [Writer, Dialect, Freezes, Reauthorization, UnitOfWork],
})
class WriterModule {}

/** The default data source of the application reads; writing goes through {@link UnitOfWork}. */
@Global()
@Module({
  imports: [
    WriterModule,
    TypeOrmModule.forFeature([AppSecretEntity, Heartbeat, Instance, Lease]),
    TypeOrmModule.forRootAsync({
      inject: [Writer],
      useFactory: ({ dialect }: Writer) => ({ ...dialect.readerOptions(), retryAttempts: 0 }),
      dataSourceFactory: async (options) => {
        if (!options) throw new Error('The reader has no options.');
        return openDataSource(options);
      },
    }),
  ],
  providers: [
    SlowQueries,
    { provide: Heartbeats, inject: [Settings, UnitOfWork, Dialect], useFactory: heartbeatsOf },
    {
      provide: Replicas,
      inject: [getDataSourceToken(), Dialect, Settings, Heartbeats, SlowQueries],
      useFactory: openReplicas,
    },
    { provide: ReplicaJobs, inject: [Replicas, LOG], useFactory: replicaJobsOf },
    { provide: Reads, inject: [getDataSourceToken(), Writer, SlowQueries, Replicas, Tracing], useFactory: readsOf },
    AgreedTime,
    DatabaseJobs,
    DatabaseMetrics,
    Leases,
    Instances,
    { provide: JobLeases, useExisting: Leases },
  ],
  exports: [AgreedTime, Reads, Replicas, Instances, Leases, JobLeases],
})
export class DatabaseModule {}
