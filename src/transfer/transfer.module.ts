import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { UsersModule } from '../users/users.module.js';
import { BatchWriter } from './import/batch-writer.js';
import { ExportController } from './export/export.controller.js';
import { Exporter } from './export/exporter.js';
import { Importer } from './import/importer.js';
import { TargetTypes } from './import/target-types.js';
import { RecordSource } from './import/record-source.entity.js';

/** Content from elsewhere, and content for elsewhere. */
@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule, UsersModule, TypeOrmModule.forFeature([RecordSource])],
  controllers: [ExportController],
  providers: [BatchWriter, Exporter, Importer, TargetTypes],
})
export class TransferModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./export/export.openapi.js')).EXPORT_API);
    registry.addOfTypes(async (names) => (await import('./export/export.openapi.js')).describeExport(names));
  }
}
