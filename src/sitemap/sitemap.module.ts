import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { DocumentCache } from './documents/document-cache.js';
import { PartCounts } from './part-counts.js';
import { Robots } from './robots.js';
import { SitemapJobs } from './sitemap-jobs.js';
import { SitemapDocuments } from './documents/sitemap-documents.js';
import { SitemapListener } from './sitemap-listener.js';
import { SitemapSender } from './documents/sitemap-sender.js';
import { SitemapUrls } from './sitemap-urls.js';
import { SitemapController } from './sitemap.controller.js';
import { SitemapPart, SitemapPartDelta } from './sitemap-part.entity.js';

/** Sitemaps: what is published, for search engines. */
@Module({
  imports: [ContentTypesModule, RecordsModule, TypeOrmModule.forFeature([SitemapPart, SitemapPartDelta])],
  controllers: [SitemapController],
  providers: [
    DocumentCache,
    PartCounts,
    Robots,
    SitemapJobs,
    SitemapDocuments,
    SitemapListener,
    SitemapSender,
    SitemapUrls,
  ],
})
export class SitemapModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./sitemap.openapi.js')).SITEMAP_API);
  }
}
