import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { BatchWriter } from './import/batch-writer.js';
import { ExportController } from './export/export.controller.js';
import { EXPORT_API } from './export/export.openapi.js';
import { ExportSender } from './export/export-sender.js';
import { Exporter } from './export/exporter.service.js';
import { Importer } from './import/importer.service.js';
import { TargetTypes } from './import/target-types.js';
import { TermMaker } from './import/term-book.js';

/** Content from elsewhere, and content for elsewhere. */
@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule],
  controllers: [ExportController],
  providers: [BatchWriter, ExportSender, Exporter, Importer, TargetTypes, TermMaker],
})
export class TransferModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(EXPORT_API);
  }
}
