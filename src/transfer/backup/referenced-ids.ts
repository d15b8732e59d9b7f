import { MAX_ID } from '../../common/id.js';
import { kindOf, REFERENCE_KINDS } from '../../content-types/kinds/kinds.js';
import { fieldKey } from '../../content-types/store/type-rows.js';
import type { NextIds } from '../../database/statements/next-ids.js';
import type { Reader } from '../../database/statements/reads.js';
import { soundCell } from '../../records/rows/record-cells.js';

type Number64 = number | string;

const REFERENCES = `SELECT id FROM content_fields WHERE kind IN (${REFERENCE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** Columns that reference ids of a table, as selections of the highest id. */
const REFERENCING: Readonly<Record<string, readonly string[]>> = {
  users: [
    "SELECT MAX(CAST(ref AS SIGNED INTEGER)) AS id FROM actors WHERE kind = 'user'",
    'SELECT MAX(user_id) AS id FROM auth_events',
    "SELECT MAX(actor_id) AS id FROM auth_events WHERE actor_kind = 'user'",
    'SELECT MAX(owner_id) AS id FROM api_tokens',
  ],
  api_tokens: [
    "SELECT MAX(CAST(ref AS SIGNED INTEGER)) AS id FROM actors WHERE kind = 'token'",
    "SELECT MAX(actor_id) AS id FROM auth_events WHERE actor_kind = 'token'",
    'SELECT MAX(replaced_by) AS id FROM api_tokens',
  ],
  content_types: ['SELECT MAX(type_id) AS id FROM content_fields', 'SELECT MAX(type_id) AS id FROM record_counts'],
  content_fields: ['SELECT MAX(field_id) AS id FROM record_fields'],
  terms: [
    'SELECT MAX(term_id) AS id FROM term_redirects',
    'SELECT MAX(into_id) AS id FROM term_redirects',
    'SELECT MAX(term_id) AS id FROM term_counts',
  ],
  records: [
    'SELECT MAX(record_id) AS id FROM record_sources',
    'SELECT MAX(record_id) AS id FROM revisions',
    'SELECT MAX(record_id) AS id FROM record_drafts',
    `SELECT MAX(num) AS id FROM record_fields WHERE field_id IN (${REFERENCES})`,
  ],
  actors: [
    'SELECT MAX(created_by) AS id FROM records',
    'SELECT MAX(updated_by) AS id FROM records',
    'SELECT MAX(created_by) AS id FROM record_drafts',
    'SELECT MAX(updated_by) AS id FROM record_drafts',
  ],
};

const CONTENTS = 200;
const FIELD_ID = /^f_[0-9a-z]+$/;

/** Reads all revisions of some records. */
export type ReadSnapshots = (reader: Reader, recordIds: readonly number[]) => AsyncGenerator<Snapshot>;

/** The highest id of each table that something references, by the name of the table. */
export class ReferencedIds {
  readonly highest = new Map<string, number>();

  constructor(private readonly reader: Reader) {}

  /** The lowest ids that nothing mentions yet. */
  nextIds(): NextIds {
    return Object.fromEntries([...this.highest].map(([table, id]) => [table, id + 1]));
  }

  /** Looks at what stands in columns of its own. */
  async inColumns(): Promise<this> {
    for (const [table, statements] of Object.entries(REFERENCING)) {
      for (const sql of statements) {
        const [row] = await this.reader.select<{ id: Number64 | null }>(sql);
        this.add(table, Number(row?.id ?? 0));
      }
    }
    return this;
  }

  /** Looks through the contents of all records and their histories, where fields, terms and relations stand in JSON. */
  async inContents(snapshots: ReadSnapshots): Promise<this> {
    const relations = await this.relations();
    for await (const rows of this.contents()) {
      for (const { data, terms } of rows) {
        // What is damaged mentions nothing; `doctor --deep` names it.
        for (const [id, value] of Object.entries(soundCell('data', data) ?? {}))
          this.addValue(id, value, relations.has(id));
        this.addTerms(Object.values(soundCell('terms', terms) ?? {}).flat());
      }
      const ids = rows.map(({ record_id: id }) => Number(id));
      for await (const snapshot of snapshots(this.reader, ids)) this.addSnapshot(snapshot);
    }
    for await (const changes of this.pending()) this.addChanges(changes);
    return this;
  }

  /**
   * Parts of a working copy: its fields, and terms of taxonomies. Relations are left out: a copy takes any id, and
   * targets are looked up when it is published. The kept sequence passes over a target that is gone.
   */
  private addChanges(changes: object): void {
    for (const [key, value] of Object.entries(changes) as [string, unknown][]) {
      if (FIELD_ID.test(key)) this.addValue(key, value, false);
      else if (key.startsWith('terms.')) this.addTerms([value].flat());
    }
  }

  private addSnapshot({ fields, terms }: Snapshot): void {
    for (const { id, type, value } of fields) this.addValue(id, value, type !== null && kindOf(type).isReference);
    const held = Object.values(terms).flat();
    this.addTerms(held.map(({ id }) => id));
  }

  private addValue(fieldId: string, value: unknown, isRelation: boolean): void {
    this.add('content_fields', fieldKey(fieldId));
    if (!isRelation || value === null) return;
    for (const target of [value].flat()) this.add('records', Number((target as { id?: unknown } | null)?.id));
  }

  private addTerms(ids: readonly unknown[]): void {
    for (const id of ids) this.add('terms', Number(id));
  }

  /** What is no id of ours, or beyond all that there may be, is no reason to pass over ids. */
  private add(table: string, id: number): void {
    if (Number.isSafeInteger(id) && id <= MAX_ID && id > (this.highest.get(table) ?? 0)) this.highest.set(table, id);
  }

  private async relations(): Promise<ReadonlySet<string>> {
    const rows = await this.reader.select<{ id: Number64 }>(REFERENCES);
    return new Set(rows.map(({ id }) => `f_${Number(id).toString(36)}`));
  }

  /** What is to be, of all working copies that can be read. */
  private async *pending(): AsyncGenerator<object> {
    for (let last = 0; ;) {
      const rows = await this.reader.select<DraftRow>(
        `SELECT record_id, changes AS data FROM record_drafts WHERE record_id > ? ORDER BY record_id LIMIT ${CONTENTS}`,
        [last],
      );
      for (const { data } of rows) yield soundCell('data', data) ?? {};
      if (rows.length < CONTENTS) return;
      last = Number(rows.at(-1)?.record_id);
    }
  }

  private async *contents(): AsyncGenerator<readonly ContentRow[]> {
    for (let last = 0; ;) {
      const rows = await this.reader.select<ContentRow>(
        `SELECT record_id, data, terms FROM record_contents WHERE record_id > ? ORDER BY record_id LIMIT ${CONTENTS}`,
        [last],
      );
      if (rows.length > 0) yield rows;
      if (rows.length < CONTENTS) return;
      last = Number(rows.at(-1)?.record_id);
    }
  }
}

type DraftRow = Pick<ContentRow, 'record_id' | 'data'>;

interface ContentRow {
  readonly record_id: Number64;
  readonly data: string;
  readonly terms: string | null;
}

/** The part of a snapshot that mentions ids. */
interface Snapshot {
  readonly fields: readonly { readonly id: string; readonly type: string | null; readonly value: unknown }[];
  readonly terms: Readonly<Record<string, readonly { readonly id: number }[]>>;
}
