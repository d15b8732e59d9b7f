import { ValidationError, type Fault } from '../../../common/errors/domain-error.js';
import type { TypeCopyResult } from '../../../content-types/changes/type-copies.js';
import type { HistoryDraft, NewIds, RecordHistory } from '../../../records/record-history.port.js';
import { leftOutText, type LeftOut } from '../../backup/damaged-rows.js';
import type { ImportFindings } from '../../import/import-findings.js';
import type { Authors } from '../export/authors.js';
import type { IdSequences } from './id-sequences.js';
import type { PrerequisiteKind, CopyPrerequisites } from './copy-prerequisites.js';
import type { ParsedLine } from '../line-reader.js';
import { requireEndLine, requireRecordLine, requireRevisionLine } from '../line-schemas.js';
import { END, HEADER, type EndLine, type RecordLine } from '../lossless-format.js';
import { preparedState, type PreparedState } from './prepared-copy.js';
import type { RecordIntake } from './record-intake.js';

interface Parts {
  readonly file: string;
  readonly findings: ImportFindings;
  readonly prerequisites: CopyPrerequisites;
  readonly intake: RecordIntake;
  readonly authors: Authors;
  readonly history: RecordHistory;
  /** `null`: nothing is written. */
  readonly ids: IdSequences | null;
}

type Whole = Extract<ParsedLine, { kind: string }>;

/** A record whose revisions are being read. */
interface Open extends PreparedState {
  readonly line: number;
  readonly data: RecordLine;
  readonly taken: TypeCopyResult;
  readonly history: HistoryDraft;
  /** Revisions that were damaged where the file was made. */
  damaged: number;
}

/** Revisions of a record that was refused are passed over: its own problem says enough. */
interface Refused {
  readonly id: number;
}

const PREREQUISITES: ReadonlySet<string> = new Set(['taxonomy', 'term', 'type', 'user'] satisfies PrerequisiteKind[]);
const NOT_OURS =
  'The file does not begin with the header of a lossless export. Make one with: npm run cli -- export --out <file>';
const NEWER = 'The file is of a newer version of the format. Import it with the version that it was made with.';
const NO_END = 'The file ends without its last line, so something may be missing. What is whole was taken.';

const BEHIND_END = 'The line stands behind the last line of the file, so it is left out.';

/** One import, line by line. */
export class LosslessRun {
  private record: Open | Refused | null = null;
  private isBegun = false;
  private isEnded = false;
  private hasNextIds = false;
  /** A line could not be read, perhaps that of the record whose revisions come now. */
  private isBroken = false;
  private lastLine: number | null = null;
  /** Whether it was reported already that lines are missing. */
  private hasGap = false;
  private readonly read = { records: 0, revisions: 0 };

  constructor(private readonly parts: Parts) {}

  /** Returns whether the rest of the file can be read. */
  async take(line: ParsedLine): Promise<boolean> {
    this.lastLine = line.line;
    if (!this.isBegun) return this.begin(line);
    if ('message' in line) this.noteBroken(line.line, line.message);
    else await this.attempt(line, () => this.takeWhole(line));
    return true;
  }

  async finish(): Promise<void> {
    await this.close();
    await this.parts.prerequisites.complete();
    await this.parts.intake.flush();
    if (this.isBegun && !this.hasNextIds) await this.parts.ids?.advancePastReferenced();
    if (this.isBegun && !this.isEnded) this.problem(this.lastLine ?? 0, NO_END);
    if (this.lastLine === null) this.problem(0, NOT_OURS);
  }

  private noteBroken(line: number, message: string): void {
    this.isBroken = true;
    this.hasGap = true;
    this.problem(line, message);
  }

  private async begin(line: ParsedLine): Promise<boolean> {
    const header = 'body' in line ? line.body : {};
    const message = 'isUnreadable' in line ? line.message : faultOf(header);
    if (message !== null) this.problem(line.line, message);
    this.isBegun = message === null;
    if (this.isBegun && this.parts.ids) {
      const { unusedFrom, hasNextIds } = await this.parts.ids.advance(header);
      this.hasNextIds = hasNextIds;
      this.parts.prerequisites.begin(unusedFrom);
    }
    return this.isBegun;
  }

  private async takeWhole(line: Whole): Promise<void> {
    const { kind, body } = line;
    if (this.isEnded) {
      this.noteBroken(line.line, BEHIND_END);
      return;
    }
    if (kind === 'revision') return this.revision(line);
    await this.close();
    if (PREREQUISITES.has(kind)) {
      // The set has said so.
      const definition = { kind: kind as PrerequisiteKind, file: this.parts.file, line: line.line, data: body.data };
      return this.parts.prerequisites.take(definition);
    }
    if (kind === 'record') return this.open(line);
    if (kind === END) this.end(line);
    else this.noteBroken(line.line, `The file has a line of an unknown kind: ${kind.slice(0, 60)}.`);
  }

  private end({ line, body }: Whole): void {
    const end = requireEndLine(body.data);
    this.isEnded = true;
    const { records, revisions } = this.read;
    const isWhole = this.hasGap || (records === end.records && revisions === end.revisions);
    if (!isWhole) this.problem(line, miscounted(end, this.read));
    if (end.skipped) this.noteLeftOut(line, end.skipped);
  }

  private noteLeftOut(line: number, leftOut: LeftOut): void {
    const message = leftOutText(leftOut, 'when the file was made').replaceAll('\n', ' ');
    this.parts.findings.note({ notes: [{ file: this.parts.file, line, message }] });
  }

  private async open({ line, body }: Whole): Promise<void> {
    this.read.records += 1;
    const { prerequisites, history } = this.parts;
    const { id } = (body.data ?? {}) as { id?: unknown };
    this.record = { id: typeof id === 'number' ? id : 0 };
    this.isBroken = false;
    await prerequisites.complete();
    const data = requireRecordLine(body.data);
    const taken = prerequisites.types.get(data.type);
    if (!taken) throw unknownType(data);
    const prepared = await preparedState(data, taken, prerequisites);
    this.record = { ...prepared, line, data, taken, history: history.begin(data.id, this.newIds(taken)), damaged: 0 };
  }

  private async revision({ line, body }: Whole): Promise<void> {
    const { record } = this;
    this.read.revisions += 1;
    if (isRefused(record, body.data)) return;
    const data = requireRevisionLine(body.data);
    if (!isOpen(record) || data.record !== record.data.id) {
      if (!this.isBroken) this.problem(line, 'The revision does not stand behind its record.');
      return;
    }
    const { author, rollback_of: rollbackOf, ts, version, action, changed, snapshot } = data;
    if (snapshot === null) {
      record.damaged += 1;
      return;
    }
    const actor = await this.parts.authors.idOf(author);
    await record.history.add({ ts, version, action, actor, rollbackOf, changed, snapshot });
  }

  /** A record is complete when something else begins. */
  private async close(): Promise<void> {
    const { record, parts } = this;
    this.record = null;
    if (!isOpen(record)) return;
    const { data, taken, line, state, leftovers, history, damaged } = record;
    const found = history.instants.length + damaged;
    if (found !== data.revisions) {
      this.hasGap = true;
      const message = `Of the ${data.revisions} revisions of the record ${found} can be read, so it is left out.`;
      parts.findings.refuse(data.type, [{ file: parts.file, line, message }]);
      return;
    }
    const copy = {
      id: data.id,
      state,
      version: data.version,
      created: { actor: await parts.authors.idOf(data.created_by), at: Date.parse(data.created_at) },
      updated: { actor: await parts.authors.idOf(data.updated_by), at: Date.parse(data.updated_at) },
      trashedAt: data.trashed_at === null ? 0 : Date.parse(data.trashed_at),
    };
    await parts.intake.add({ copy, typeName: taken.name, history, file: parts.file, line, leftovers });
  }

  private newIds(taken: TypeCopyResult): NewIds {
    const { prerequisites } = this.parts;
    return {
      field: async (id) => taken.fieldIds.get(id) ?? (await prerequisites.lostField(id, taken)) ?? NO_FIELD,
      term: (id) => prerequisites.termId(id),
    };
  }

  /** A line that breaks a rule is reported, and the next one is read. */
  private async attempt({ line }: Whole, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const { file, findings } = this.parts;
      findings.refuse(
        '',
        error.faults.map(({ message }) => ({ file, line, message })),
      );
    }
  }

  private problem(line: number, message: string): void {
    this.parts.findings.refuse('', [{ file: this.parts.file, line, message }]);
  }
}

function faultOf(header: Readonly<Record<string, unknown>>): string | null {
  if (!isHeader(header)) return NOT_OURS;
  return header.version === HEADER.version ? null : NEWER;
}

function isHeader({ kind, format, lossless }: Readonly<Record<string, unknown>>): boolean {
  return kind === HEADER.kind && format === HEADER.format && lossless === HEADER.lossless;
}

function isOpen(record: Open | Refused | null): record is Open {
  return record !== null && 'history' in record;
}

/** Whether a revision belongs to the record that was refused just before. */
function isRefused(record: Open | Refused | null, data: unknown): boolean {
  const { record: owner } = (data ?? {}) as { record?: unknown };
  return record !== null && !isOpen(record) && record.id === owner;
}

/** A field that there never was. */
const NO_FIELD = 'f_0';

function miscounted(end: EndLine, { records, revisions }: EndLine): string {
  const declared = `${end.records} records and ${end.revisions} revisions`;
  return `The file says that it has ${declared}, but it has ${records} and ${revisions}: lines are missing or repeated.`;
}

function unknownType({ type }: RecordLine): ValidationError {
  const fault: Fault = {
    field: 'type',
    rule: 'unknown',
    message: `There is no content type "${type}" to put it into.`,
  };
  return new ValidationError([fault]);
}
