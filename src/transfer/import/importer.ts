import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/statements/reads.js';
import { Authorships } from '../../records/rows/actors.js';
import { RelationTargets } from '../../records/writing/relation-targets.js';
import type { ImportEntry } from '../formats/import-entry.js';
import { BatchWriter } from './batch-writer.js';
import type { ImportReport } from './import-findings.js';
import { ImportRun, type ImportOptions, type ImportServices } from './import-run.js';
import { TargetTypes } from './target-types.js';

/** Takes content over from elsewhere. Can be run again: what is the same is left alone, what is new or changed is written. */
@Injectable()
export class Importer {
  private readonly services: ImportServices;

  constructor(
    targets: TargetTypes,
    writer: BatchWriter,
    relations: RelationTargets,
    authorships: Authorships,
    reads: Reads,
  ) {
    this.services = { targets, writer, relations, authorships, reads };
  }

  async run(entries: AsyncIterable<ImportEntry>, options: ImportOptions): Promise<ImportReport> {
    const run = new ImportRun(this.services, options);
    for await (const entry of entries) await run.take(entry);
    return run.finish();
  }
}
