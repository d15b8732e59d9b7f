import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { TypeDefinition } from '../../../content-types/definition/content-type.js';
import { allDefinitions } from '../../../content-types/store/type-rows.js';
import { typeNotFound } from '../../../content-types/store/content-types.service.js';
import { typeView } from '../../../content-types/definition/type-view.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import { readNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import type { Reader } from '../../../database/statements/reads.js';
import { RecordHistoryHost } from '../../../records/record-history.port.js';
import type { StoredTerm } from '../../../taxonomy/terms/stored-term.js';
import { allTaxonomies } from '../../../taxonomy/taxonomies/taxonomy.js';
import { taxonomyView } from '../../../taxonomy/taxonomies/taxonomy-view.js';
import type { CopiedUserRow } from '../../../users/rows/user-copies.js';
import { DamagedRows } from '../../backup/damaged-rows.js';
import type { RowProgress } from '../../backup/restore/row-progress.js';
import { withSnapshot } from '../../backup/snapshot.js';
import { countRecords, recordRows, termsOf, users, withTargets } from './content-reads.js';
import { recordedIds } from '../import/id-sequences.js';
import { HEADER, timeOrNull, type EndLine } from '../lossless-format.js';
import { addOwnerlessRows } from './ownerless-rows.js';
import { RecordLines, type LostTerms } from './record-lines.js';
import { RowValidator } from './row-validator.js';

/** What is to be written. */
export interface LosslessSelection {
  /** Only records of this type; `null`: all. */
  readonly type: string | null;
  /** Whether the file may lack rows that are damaged. */
  readonly skipsDamaged: boolean;
  readonly progress: RowProgress;
}

/** What a file has, and what it lacks. */
interface ExportResult extends EndLine {
  /** Absent: none. */
  readonly lostTerms?: LostTerms;
}

/** What is written down, and what of it cannot be. */
interface Content {
  readonly reader: Reader;
  readonly validator: RowValidator;
  readonly damaged: DamagedRows;
}

/** Writes down all content as it is at one moment, so that another database can become the same. */
@Injectable()
export class LosslessExporter {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly history: RecordHistoryHost,
  ) {}

  /**
   * Lends the lines of a file, in pieces.
   *
   * @throws {DomainError} `type_not_found`
   * @throws {TransferError} `damaged_row`
   */
  run(
    selection: LosslessSelection,
    write: (lines: AsyncGenerator<string, ExportResult>) => Promise<void>,
  ): Promise<void> {
    return withSnapshot(this.dialect, async ({ runner, dialect, tables }) => {
      const select = <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
        runner.query(sql, [...values]) as Promise<Row[]>;
      const nextIds = recordedIds(await readNextIds(runner, dialect));
      const damaged = new DamagedRows(selection.skipsDamaged ? 'skipped' : 'refused');
      const content = { reader: { select }, validator: new RowValidator(tables, damaged), damaged };
      await write(this.lines(content, selection, nextIds));
    });
  }

  private async *lines(
    { reader, validator, damaged }: Content,
    { type: only, progress }: LosslessSelection,
    nextIds: NextIds,
  ): AsyncGenerator<string, ExportResult> {
    const { types, wanted } = await wantedTypes(reader, only);
    yield line({ ...HEADER, exported_at: new Date(this.clock.now()).toISOString(), next_ids: nextIds });
    if (only === null) await addOwnerlessRows(reader, damaged);
    yield* taxonomyLines(reader, validator, only === null ? null : types);
    for (const type of types) yield line({ kind: 'type', data: definitionOf(type) });
    for await (const user of users(reader, validator)) yield line({ kind: 'user', data: userOf(user) });
    const ids = wanted.map(({ id }) => id);
    progress.start(await countRecords(reader, ids), 'Exporting');
    const records = new RecordLines(reader, this.history.get(), validator, wanted);
    for await (const rows of recordRows(reader, ids, validator)) {
      yield* records.of(rows);
      progress.advance(rows.length);
    }
    const skipped = damaged.leftOut();
    const end = { ...records.count, ...(skipped ? { skipped } : {}) };
    yield line({ kind: 'end', data: end });
    return { ...end, ...(records.lostTerms ? { lostTerms: records.lostTerms } : {}) };
  }
}

/** The types that a file defines, and those whose records it has. @throws {DomainError} `type_not_found` */
async function wantedTypes(
  reader: Reader,
  only: string | null,
): Promise<Record<'types' | 'wanted', readonly TypeDefinition[]>> {
  const every = await allDefinitions(reader);
  if (only === null) return { types: every, wanted: every };
  const wanted = every.filter(({ name }) => name === only);
  if (wanted.length === 0) throw typeNotFound(only);
  return { types: withTargets(every, only), wanted };
}

/** Taxonomies of these types, or all, and their terms. */
async function* taxonomyLines(
  reader: Reader,
  validator: RowValidator,
  types: readonly TypeDefinition[] | null,
): AsyncGenerator<string> {
  const used = types && new Set(types.flatMap(({ taxonomies }) => taxonomies));
  const taxonomies = (await allTaxonomies(reader)).filter(({ name }) => used?.has(name) ?? true);
  for (const taxonomy of taxonomies) yield line({ kind: 'taxonomy', data: taxonomyView(taxonomy) });
  for (const { name } of taxonomies) {
    for await (const { merged, ...term } of termsOf(reader, name, validator)) {
      yield line({ kind: 'term', data: { ...termOf(term), ...(merged.length > 0 ? { merged } : {}) } });
    }
  }
}

function definitionOf(type: TypeDefinition): object {
  const view = typeView(type);
  // What is being built here is built there when records are written.
  return { ...view, fields: view.fields.map(({ building: _building, ...field }) => field) };
}

function termOf({
  id,
  taxonomy,
  slug,
  name,
  description,
  parentId,
  position,
  createdAt,
  updatedAt,
  isMadeByHand,
}: StoredTerm): object {
  const times = { created_at: timeOrNull(createdAt), updated_at: timeOrNull(updatedAt) };
  const origin = isMadeByHand ? { made_by_hand: true } : {};
  return { id, taxonomy, slug, name, description, parent_id: parentId, position, ...times, ...origin };
}

function userOf({
  id,
  email,
  name,
  role,
  disabled_at: disabled,
  created_at: created,
  updated_at: updated,
}: CopiedUserRow): object {
  return {
    ...{ id: Number(id), email, name, role },
    disabled_at: disabled === null ? null : timeOrNull(Number(disabled)),
    created_at: timeOrNull(Number(created)),
    updated_at: timeOrNull(Number(updated)),
  };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
