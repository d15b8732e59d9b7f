import { Injectable } from '@nestjs/common';
import { basename } from 'node:path';
import { Actors } from '../../records/writing/actors.js';
import { RecordHistoryHolder } from '../../records/record-history.port.js';
import { Findings, type ImportReport } from '../import/import-report.js';
import { ContinuedIds } from './continued-ids.js';
import { CopyWriter } from './copy-writer.js';
import { Foundations, FoundationServices } from './foundations.js';
import { linesOf } from './line-reader.js';
import { LosslessRun } from './lossless-run.js';
import { Authors } from './authors.js';
import { RecordIntake } from './record-intake.js';

interface LosslessOptions {
  readonly isDryRun: boolean;
  readonly onProgress: (records: number) => void;
}

/** Takes the content of another database over, as the lossless export wrote it down. Can be run again. */
@Injectable()
export class LosslessImporter {
  constructor(
    private readonly foundations: FoundationServices,
    private readonly writer: CopyWriter,
    private readonly history: RecordHistoryHolder,
    private readonly actors: Actors,
    private readonly ids: ContinuedIds,
  ) {}

  async run(path: string, options: LosslessOptions): Promise<ImportReport> {
    const file = basename(path);
    const findings = new Findings();
    const foundations = new Foundations(this.foundations, findings, options.isDryRun);
    const intake = new RecordIntake(this.writer, findings, options);
    const authors = new Authors(this.actors, foundations.userIds, options.isDryRun);
    const ids = options.isDryRun ? null : this.ids;
    const run = new LosslessRun({ file, findings, foundations, intake, authors, ids, history: this.history.get() });
    for await (const line of linesOf(path)) if (!(await run.take(line))) break;
    await run.finish();
    return findings.report({ dry_run: options.isDryRun, source: `ndjson:${file}` });
  }
}
