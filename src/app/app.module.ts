import { Module, type DynamicModule, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { JobRunner } from '../common/jobs/job-runner.js';
import { JobsModule } from '../common/jobs/jobs.module.js';
import { LoggingModule } from '../common/logging/logging.module.js';
import { MetricsModule } from '../common/metrics/metrics.module.js';
import { RateLimitsModule } from '../common/rate-limits/rate-limits.module.js';
import { ConfigModule } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { ConsoleModule } from '../console/console.module.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { asUnavailable } from '../database/dialect/database-error.js';
import { DatabaseModule } from '../database/database.module.js';
import { DocsModule } from '../docs/docs.module.js';
import { HealthModule } from '../health/health.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PublishingModule } from '../publishing/publishing.module.js';
import { RecordsModule } from '../records/records.module.js';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { SitemapModule } from '../sitemap/sitemap.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { SearchModule } from '../search/search.module.js';
import { TransferModule } from '../transfer/transfer.module.js';
import { UsersModule } from '../users/users.module.js';

/** Metrics and traces of the service. */
export interface Signals {
  readonly registry: Registry;
  /** The modules of what sends traces. */
  readonly tracing: readonly DynamicModule[];
}

/**
 * The modules, in the order in which routes are tried: those of content first, which most requests are for. Records come last
 * of these, since their `:type` would answer for `/api/cms/types` too.
 */
@Module({})
export class AppModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(private readonly jobs: JobRunner) {}

  static forRoot(
    settings: Settings,
    log: Logger,
    { registry, tracing }: Signals = { registry: new Registry(), tracing: [] },
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(settings),
        LoggingModule.forRoot(log),
        MetricsModule.forRoot(registry),
        ...tracing,
        RateLimitsModule.forRoot(
          settings.limits,
          settings.gateway.maxRequests,
          settings.redisUrl === null ? null : { url: settings.redisUrl, log },
        ),
        JobsModule.forRoot(asUnavailable),
        DatabaseModule,
        ContentTypesModule,
        TaxonomyModule,
        RevisionsModule,
        PublishingModule,
        SearchModule,
        TransferModule,
        RecordsModule,
        SitemapModule,
        HealthModule,
        AuthModule,
        UsersModule,
        MailModule,
        AuditModule,
        ConsoleModule,
        DocsModule.forRoot(settings.docs),
      ],
    };
  }

  onApplicationBootstrap(): void {
    this.jobs.begin();
  }

  onModuleDestroy(): Promise<void> {
    return this.jobs.stop();
  }
}
