import { Injectable } from '@nestjs/common';
import { basename } from 'node:path';
import type { Caller } from '../../../common/access/caller.js';
import { Actors } from '../../../records/rows/actors.js';
import { RecordHistoryHost } from '../../../records/record-history.port.js';
import { type ImportReport } from '../../import/import-report.js';
import { ImportFindings } from '../../import/import-findings.js';
import { IdSequences } from './id-sequences.js';
import { CopyWriter } from './copy-writer.js';
import { CopyPrerequisites, PrerequisiteServices } from './copy-prerequisites.js';
import { isWhole, linesOf } from '../line-reader.js';
import { LosslessRun } from './lossless-run.js';
import { Authors } from '../export/authors.js';
import { RecordIntake } from './record-intake.js';

interface LosslessOptions {
  readonly isDryRun: boolean;
  /** Whether users get the roles of the file, and may sign in. Otherwise they are viewers, and disabled. */
  readonly withAccounts: boolean;
  /** Who does it. */
  readonly caller: Caller;
  readonly onProgress: (records: number) => void;
}

/** Takes the content of another database over, as the lossless export wrote it down. Can be run again. */
@Injectable()
export class LosslessImporter {
  constructor(
    private readonly prerequisites: PrerequisiteServices,
    private readonly writer: CopyWriter,
    private readonly history: RecordHistoryHost,
    private readonly actors: Actors,
    private readonly ids: IdSequences,
  ) {}

  async run(path: string, options: LosslessOptions): Promise<ImportReport> {
    const file = basename(path);
    const findings = new ImportFindings();
    const users = { ...options, actor: options.caller, file, isRefused: !(await isWhole(path)) };
    const prerequisites = new CopyPrerequisites(this.prerequisites, findings, users);
    const intake = new RecordIntake(this.writer, findings, options);
    const authors = new Authors(this.actors, prerequisites.userIds, options.isDryRun);
    const ids = options.isDryRun ? null : this.ids;
    const run = new LosslessRun({ file, findings, prerequisites, intake, authors, ids, history: this.history.get() });
    for await (const line of linesOf(path)) if (!(await run.take(line))) break;
    await run.finish();
    return findings.report({ dry_run: options.isDryRun, source: `ndjson:${file}` });
  }
}
