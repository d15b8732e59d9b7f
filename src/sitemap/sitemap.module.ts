import { Module } from '@nestjs/common';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { PartCounts } from './part-counts.js';
import { SitemapDocuments } from './sitemap-documents.js';
import { SitemapSender } from './sitemap-sender.js';
import { SitemapController } from './sitemap.controller.js';

/** Sitemaps: what is published, for search engines. */
@Module({
  imports: [ContentTypesModule, RecordsModule],
  controllers: [SitemapController],
  providers: [PartCounts, SitemapDocuments, SitemapSender],
})
export class SitemapModule {}
