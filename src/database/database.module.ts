import { Global, Injectable, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { Job } from '../common/jobs/job.decorator.js';
import { JobLocks } from '../common/jobs/job-locks.js';
import { DomainError } from '../common/errors/domain-error.js';
import { counted } from '../common/text/counted.js';
import { LOG } from '../common/logging/logging.module.js';
import { AppSecretEntity } from './app-secret.entity.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { DatabaseMetrics } from './database-metrics.js';
import { openDataSource } from './dialect/data-source.js';
import { dialectFor } from './dialect-for.js';
import { Dialect } from './dialect/dialect.js';
import { serversOf } from './mysql/mysql-dialect.js';
import { migrate, pendingMigrations } from './schema/migrate.js';
import { requireKnownSchema } from './schema/newer-schema-error.js';
import { ReadingThreads } from './reading-threads/reading-threads.js';
import { AgreedTime } from './units/agreed-time.js';
import { Reads } from './statements/reads.js';
import { SlowQueries } from './statements/slow-queries.js';
import { readSpan, traceReads } from './statements/traced-reads.js';
import { Reauthorization } from './units/reauthorization.js';
import { UnitOfWork } from './units/unit-of-work.js';
import { ServerJobLocks } from './server-job-locks.js';
import { requireSharedSecret } from './shared-secret.js';
import { requireRestored } from './schema/unfinished-restore.js';
import { Writer } from './statements/writer.js';

const ONE_WRITER = 'the database is a node of a cluster: all instances must write through the same node';

async function openWriter(settings: Settings, log: Logger): Promise<Writer> {
  const { database, mode } = settings;
  const writer = await Writer.open(dialectFor(database));
  try {
    await prepare(writer, database.kind === 'sqlite' || mode !== 'production');
    await requireSharedSecret(writer, settings);
    const servers = serversOf(writer.dialect);
    servers?.watch();
    if (servers?.packets.isOfCluster) log.info(ONE_WRITER);
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
    `The database lacks ${counted(pending.length, 'migration')} (${pending.join(', ')}). Run: npm run migrate.`,
  );
}

/** A list that goes through a million records takes a few seconds. */
const LONG_READS = { size: 2, waiting: 64, deadlineMs: 10_000 };

function readsOf(
  source: DataSource,
  { source: writing, dialect }: Writer,
  slow: SlowQueries,
  { tracing }: Settings,
): Reads {
  slow.watch(source);
  slow.watch(writing);
  if (tracing !== null) traceReads(source, dialect);
  const file = dialect.fileForThreads;
  const threads = file === null ? null : new ReadingThreads(file, 'list', LONG_READS);
  const took = (sql: string, ms: number): void => {
    slow.took(sql, ms);
  };
  return new Reads(source, threads, took, (sql) => readSpan(dialect, sql));
}

@Global()
@Module({
  providers: [
    { provide: Writer, inject: [Settings, LOG], useFactory: openWriter },
    { provide: Dialect, inject: [Writer], useFactory: (writer: Writer) => writer.dialect },
    Reauthorization,
    UnitOfWork,
    Checkpoints,
  ],
  exports: [Writer, Dialect, Reauthorization, UnitOfWork],
})
class WriterModule {}

const STATISTICS_EVERY_MS = 3_600_000;

@Injectable()
class DatabaseJobs {
  constructor(private readonly dialect: Dialect) {}

  @Job({
    name: 'database.renew-statistics',
    every: STATISTICS_EVERY_MS,
    failure: 'statistics were not renewed: lists may become slow as tables grow',
  })
  renewStatistics(): Promise<void> {
    return this.dialect.renewStatistics();
  }
}

/** The default data source of the application reads; writing goes through {@link UnitOfWork}. */
@Global()
@Module({
  imports: [
    WriterModule,
    TypeOrmModule.forFeature([AppSecretEntity]),
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
    { provide: Reads, inject: [getDataSourceToken(), Writer, SlowQueries, Settings], useFactory: readsOf },
    AgreedTime,
    DatabaseJobs,
    DatabaseMetrics,
    { provide: JobLocks, useClass: ServerJobLocks },
  ],
  exports: [AgreedTime, Reads, JobLocks],
})
export class DatabaseModule {}
