import { Module } from '@nestjs/common';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { TaxonomyModule } from '../taxonomy/taxonomy.module.js';
import { BatchWriter } from './import/batch-writer.js';
import { Importer } from './import/importer.service.js';
import { TargetTypes } from './import/target-types.js';
import { TermMaker } from './import/term-book.js';

/** Content from elsewhere, and content for elsewhere. */
@Module({
  imports: [ContentTypesModule, RecordsModule, TaxonomyModule],
  providers: [BatchWriter, Importer, TargetTypes, TermMaker],
})
export class TransferModule {}
