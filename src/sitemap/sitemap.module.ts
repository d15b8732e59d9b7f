import { Module } from '@nestjs/common';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { DocumentCache } from './documents/document-cache.js';
import { PartCounts } from './part-counts.js';
import { Robots } from './robots.js';
import { SitemapDocuments } from './documents/sitemap-documents.js';
import { SitemapListener } from './sitemap-listener.js';
import { SitemapSender } from './documents/sitemap-sender.js';
import { SitemapUrls } from './sitemap-urls.js';
import { SitemapController } from './sitemap.controller.js';

/** Sitemaps: what is published, for search engines. */
@Module({
  imports: [ContentTypesModule, RecordsModule],
  controllers: [SitemapController],
  providers: [DocumentCache, PartCounts, Robots, SitemapDocuments, SitemapListener, SitemapSender, SitemapUrls],
})
export class SitemapModule {}
