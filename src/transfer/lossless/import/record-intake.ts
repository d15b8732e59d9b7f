import type { ErrorName } from '../../../common/errors/catalogue.js';
import { DomainError, ValidationError } from '../../../common/errors/domain-error.js';
import { StaleTypeError } from '../../../content-types/store/content-types.service.js';
import { isUniqueViolation } from '../../../database/database-error.js';
import { weightOf, type UnitPace } from '../../../database/units/unit-pace.js';
import { LostRaceError } from '../../../records/writing/record-writer.js';
import type { ImportFindings } from '../../import/import-findings.js';
import type { CompleteCopy, CopyWriter } from './copy-writer.js';
import type { Decision } from './same-record.js';

/** A record that was read to its end, and where it stands. */
export interface CopyInFile extends CompleteCopy {
  readonly file: string;
  readonly line: number;
  readonly leftovers: readonly string[];
}

interface Circumstances {
  readonly isDryRun: boolean;
  readonly onProgress: (records: number) => void;
}

const MAX_TRIES = 5;

/** Writes records some at a time; where some cannot be written together, one by one. */
export class RecordIntake {
  private waiting: CopyInFile[] = [];
  private weight = 0;
  private readonly pace: UnitPace;

  constructor(
    private readonly writer: CopyWriter,
    private readonly findings: ImportFindings,
    private readonly circumstances: Circumstances,
  ) {
    this.pace = writer.pace();
  }

  async add(copy: CopyInFile): Promise<void> {
    const weight = weightOfCopy(copy);
    const isRepeated = this.waiting.some((one) => one.copy.id === copy.copy.id);
    if (isRepeated || this.weight + weight > this.pace.capacity) await this.flush();
    this.waiting.push(copy);
    this.weight += weight;
  }

  async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    this.weight = 0;
    if (batch.length > 0) await this.write(batch);
    this.circumstances.onProgress(batch.length);
  }

  private async write(batch: readonly CopyInFile[], tries = 1): Promise<void> {
    try {
      const weight = batch.reduce((sum, copy) => sum + weightOfCopy(copy), 0);
      const { isDryRun } = this.circumstances;
      const decisions = await this.pace.run(weight, (begun) => this.writer.write(batch, { isDryRun, begun }));
      for (const [at, copy] of batch.entries()) this.report(copy, decisions[at]);
    } catch (error) {
      if (isLostRace(error) && tries < MAX_TRIES) await this.write(batch, tries + 1);
      else if (batch.length > 1) for (const copy of batch) await this.write([copy]);
      else this.refuse(batch, error);
    }
  }

  private refuse([copy]: readonly CopyInFile[], error: unknown): void {
    const isRefusal = error instanceof ValidationError || isNamed(error, 'slug_taken', 'payload_too_large');
    if (!copy || !isRefusal) throw error;
    const { file, line, typeName } = copy;
    this.findings.refuse(typeName, [{ file, line, message: (error as DomainError).message }]);
  }

  private report({ typeName, file, line, leftovers }: CopyInFile, decision: Decision | undefined): void {
    const { result, message } = decision ?? { result: 'unchanged', message: null };
    if (result === 'refused') {
      this.findings.refuse(typeName, [{ file, line, message: message ?? '' }]);
      return;
    }
    this.findings.count(typeName, result);
    if (message !== null) this.findings.note({ notes: [{ file, line, message }] });
    for (const what of leftovers) this.findings.leave({ what, reason: 'They have no place here.', file, line });
  }
}

function weightOfCopy({ history, copy }: CompleteCopy): number {
  return weightOf(history.bytes + (copy.state.body?.length ?? 0));
}

function isNamed(error: unknown, ...names: readonly ErrorName[]): boolean {
  return error instanceof DomainError && names.includes(error.error);
}

/** An editor, or another import, was faster; a second look finds what they did. */
function isLostRace(error: unknown): boolean {
  return error instanceof StaleTypeError || error instanceof LostRaceError || isUniqueViolation(error);
}
