import type { TypeDefinition } from '../../../content-types/definition/content-type.js';
import type { Reader } from '../../../database/statements/reads.js';
import { actorViews, type ActorView } from '../../../records/rows/actor-names.js';
import type { PlainRevision, RecordHistory } from '../../../records/record-history.port.js';
import { termIdsOf, termsOf, valuesOf, type RecordRow } from '../../../records/rows/record-row.js';
import { absentTerms } from '../../../taxonomy/terms/terms-without-taxonomy.js';
import { presentTerms } from './content-reads.js';
import { timeOrNull, type RecordLine, type RevisionLine } from '../lossless-format.js';
import { ValidRevisions } from './valid-revisions.js';
import type { RowValidator } from './row-validator.js';

/** An author that is not known any more. */
const UNKNOWN_ACTOR: ActorView = { kind: 'token', id: null, name: 'unknown' };

const MOST_NAMED = 20;

/** Records whose terms are not all in a file. */
export interface LostTerms {
  /** Of records. */
  readonly count: number;
  /** Ids of the first twenty. */
  readonly records: readonly number[];
}

/** Writes records down, each with its history behind it. */
export class RecordLines {
  private readonly types: ReadonlyMap<number, TypeDefinition>;
  private records = 0;
  private revisions = 0;
  private readonly lost: { count: number; readonly records: number[] } = { count: 0, records: [] };

  constructor(
    private readonly reader: Reader,
    private readonly history: RecordHistory,
    private readonly validator: RowValidator,
    types: readonly TypeDefinition[],
  ) {
    this.types = new Map(types.map((type) => [type.id, type]));
  }

  /** So far. */
  get count(): { readonly records: number; readonly revisions: number } {
    return { records: this.records, revisions: this.revisions };
  }

  /** Records that hold terms which are gone, without having been removed or merged: the file lacks these. `null`: none. */
  get lostTerms(): LostTerms | null {
    return this.lost.count > 0 ? this.lost : null;
  }

  /** @param rows in the order of their ids */
  async *of(rows: readonly RecordRow[]): AsyncGenerator<string> {
    const ids = rows.map(({ id }) => id);
    const validator = await ValidRevisions.of(this.reader, this.history, ids, this.validator);
    const termIds = [...new Set(rows.flatMap((row) => termIdsOf(termsOf(row))))];
    const terms = await presentTerms(this.reader, termIds);
    await this.noteLost(
      rows,
      termIds.filter((id) => !terms.has(id)),
    );
    const actors = new Actors(this.reader);
    await actors.load(rows.flatMap(({ created_by, updated_by }) => [created_by, updated_by]));
    const revisions = this.history.read(this.reader, ids);
    let next = await revisions.next();
    for (const row of rows) {
      yield this.record(row, validator.countOf(row.id), terms, actors);
      for (; !next.done && next.value.recordId === row.id; next = await revisions.next()) {
        if (!validator.isValid(next.value)) continue;
        await actors.load([next.value.actor]);
        yield this.revision(next.value, actors);
      }
    }
  }

  private async noteLost(rows: readonly RecordRow[], missing: readonly number[]): Promise<void> {
    if (missing.length === 0) return;
    // Records let go of removed terms by and by: the file need not have these.
    const gone = new Set(await absentTerms(this.reader, missing));
    for (const row of rows.filter((one) => termIdsOf(termsOf(one)).some((id) => gone.has(id)))) {
      this.lost.count += 1;
      if (this.lost.records.length < MOST_NAMED) this.lost.records.push(row.id);
    }
  }

  private record(row: RecordRow, revisions: number, present: ReadonlyMap<number, number>, actors: Actors): string {
    this.records += 1;
    const type = this.types.get(row.type_id);
    const data: RecordLine = {
      ...{ id: row.id, type: type?.name ?? '', title: row.title, slug: row.slug ?? row.trashed_slug ?? '' },
      ...{ body: row.body, status: row.status, locale: row.locale },
      ...ownValues(row, type),
      terms: termsIn(row, present),
      version: row.version,
      published_at: timeOrNull(row.published_at),
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
      trashed_at: row.trashed_at === 0 ? null : timeOrNull(row.trashed_at),
      created_by: actors.view(row.created_by),
      updated_by: actors.view(row.updated_by),
      revisions,
    };
    return `${JSON.stringify({ kind: 'record', data })}\n`;
  }

  private revision(
    { recordId, actor, rollbackOf, ...details }: PlainRevision & { recordId: number },
    actors: Actors,
  ): string {
    this.revisions += 1;
    const { ts, version, action, changed, snapshot } = details;
    const data: RevisionLine = {
      ...{ record: recordId, ts, version, action },
      ...{ author: actors.view(actor), rollback_of: rollbackOf, changed, snapshot },
    };
    return `${JSON.stringify({ kind: 'revision', data })}\n`;
  }
}

/** Who wrote some records. */
class Actors {
  private readonly views = new Map<number, ActorView>();

  constructor(private readonly reader: Reader) {}

  async load(ids: readonly number[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.views.has(id));
    for (const [id, view] of await actorViews(this.reader, missing)) this.views.set(id, view);
  }

  view(id: number): ActorView {
    return this.views.get(id) ?? UNKNOWN_ACTOR;
  }
}

function ownValues(row: RecordRow, type: TypeDefinition | undefined): Pick<RecordLine, 'values' | 'lost'> {
  const all = new Map(Object.entries(valuesOf(row)));
  const named = (type?.fields ?? []).flatMap(({ id, name }) => {
    const value = all.get(id) ?? null;
    all.delete(id);
    return value === null ? [] : [[name, value] as const];
  });
  const lost = [...all].filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  return { values: Object.fromEntries(named), ...(lost.length > 0 ? { lost: Object.fromEntries(lost) } : {}) };
}

function termsIn(row: RecordRow, present: ReadonlyMap<number, number>): RecordLine['terms'] {
  const entries = Object.entries(termsOf(row)).map(
    ([taxonomy, ids]) => [taxonomy, [...new Set(ids.flatMap((id) => present.get(id) ?? []))]] as const,
  );
  return Object.fromEntries(entries.filter(([, ids]) => ids.length > 0));
}
