import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import { textPieces } from '../../common/text/text-pieces.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { TypeCatalogue } from '../../content-types/type-catalogue.js';
import { portionsOf } from '../../records/rows/record-row.js';
import { visibleStatuses } from '../../records/rows/record-access.js';
import { RecordReader } from '../../records/reading/record-reader.js';
import { RecordViews, type RecordView } from '../../records/rows/record-views.js';
import { NDJSON_HEADER } from '../formats/ndjson/ndjson.js';
import { stringify as csv } from 'csv-stringify/sync';
import { stringify as yaml } from 'yaml';
import type { Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import { guarded, joinedParts } from '../formats/csv/cell-parts.js';

export const STREAMED = ['ndjson', 'csv'] as const;
export type StreamedFormat = (typeof STREAMED)[number];

/** Selection of the records to hand out. */
export interface ExportSelection {
  readonly types: readonly CompiledType[];
  readonly statuses: readonly Status[];
  readonly caller: Caller;
  /** True if texts of a table that a spreadsheet would run get an apostrophe before them, which is the default. */
  readonly isGuarded?: boolean;
}

/** Hands out records in the order of their ids, in flat memory, as far as the caller may see them. */
@Injectable()
export class Exporter {
  constructor(
    private readonly reader: RecordReader,
    private readonly views: RecordViews,
    private readonly catalogue: TypeCatalogue,
    private readonly clock: Clock,
  ) {}

  /** The text of a file, in pieces. A table holds records of one type. */
  text(format: StreamedFormat, selection: ExportSelection): AsyncGenerator<string> {
    return textPieces(format === 'csv' ? this.table(selection) : this.lines(selection));
  }

  /** Views of the records of one type, some at a time. */
  async *records(
    type: CompiledType,
    { statuses, caller }: Omit<ExportSelection, 'types'>,
  ): AsyncGenerator<RecordView[]> {
    const visible = visibleStatuses(caller, type).filter((status) => statuses.includes(status));
    if (visible.length === 0) return;
    for await (const rows of this.reader.inOrder(type, visible)) {
      for (const portion of portionsOf(rows)) {
        // MySQL and MariaDB answer many exports at the same moment.
        await ownTurn();
        const terms = await this.views.prepare(portion);
        yield portion.map((row) => this.views.of(type, row, terms));
      }
    }
  }

  private async *lines(selection: ExportSelection): AsyncGenerator<string> {
    yield line({ ...NDJSON_HEADER, exported_at: new Date(this.clock.now()).toISOString() });
    const definitions = await this.catalogue.definitionsOf(new Set(selection.types.map(({ name }) => name)));
    yield definitions.map((data) => line({ kind: 'type', data })).join('');
    for (const type of selection.types) {
      for await (const views of this.records(type, selection)) {
        for (const data of views) yield line({ kind: 'record', data });
      }
    }
  }

  private async *table(selection: ExportSelection): AsyncGenerator<string> {
    const { isGuarded = true } = selection;
    for (const type of selection.types) {
      yield csvRow(columnsOf(type), { isGuarded });
      for await (const views of this.records(type, selection)) {
        for (const view of views) yield csvRow(cellsOf(view, type), { isGuarded });
      }
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const BUILT_IN = ['id', 'title', 'slug', 'status', 'locale', 'published_at', 'created_at', 'updated_at'];

interface TermView {
  readonly slug: string;
  readonly name: string;
}

interface CsvOptions {
  /** True if texts that a spreadsheet would run are guarded. */
  readonly isGuarded: boolean;
}

/** A row of a table that begins with {@link columnsOf}. */
export function csvRow(cells: readonly unknown[], { isGuarded }: CsvOptions): string {
  const shown = isGuarded ? cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell)) : cells;
  return csv([[...shown]], { quoted_match: /[\r\n]/ });
}

export function columnsOf({ fields, taxonomies }: CompiledType): string[] {
  return [...BUILT_IN, ...fields.map(({ name }) => name), ...taxonomies, 'body'];
}

export function cellsOf(view: RecordView, type: CompiledType): unknown[] {
  const terms = termsOf(view);
  return columnsOf(type).map((name) =>
    Object.hasOwn(terms, name) ? joinedParts(terms[name] ?? []) : cellOf(view[name], type.fieldsByName.get(name)),
  );
}

/** Names of a record's terms by taxonomy. */
function termsOf(view: RecordView): Record<string, string[]> {
  const terms = view.terms as Readonly<Record<string, readonly TermView[]>>;
  return Object.fromEntries(Object.entries(terms).map(([taxonomy, own]) => [taxonomy, own.map(({ name }) => name)]));
}

/** @param field that has the value; a built-in part of a record has none */
function cellOf(value: unknown, field: Field | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (!field) return value;
  const kind = kindOf(field.type);
  if (kind.maxItems(field) === undefined || !Array.isArray(value)) return kind.toCell(value, field);
  // A database that another program has written to may hold nothing in the place of an item.
  const items = value.filter((item) => item !== null);
  return joinedParts(items.map((item) => String(kind.toCell(item, field))));
}

/** A record as a Markdown file with front matter, as the import reads it. */
export function markdownOf(view: RecordView, { fields }: CompiledType): string {
  const { title, slug, status, locale, published_at: published, created_at: created, body } = view;
  const own = fields.map(({ name }) => [name, view[name]] as const).filter(([, value]) => value !== null);
  const terms = Object.entries(termsOf(view)).filter(([, names]) => names.length > 0);
  const dates =
    published === null || published === created ? { date: created } : { date: published, created_at: created };
  const settings = { title, slug, ...dates, status, locale, ...Object.fromEntries([...own, ...terms]) };
  return `---\n${yaml(settings)}---\n\n${typeof body === 'string' ? body : ''}\n`;
}
