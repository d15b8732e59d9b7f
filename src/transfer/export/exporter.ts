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
import { cellsOf, columnsOf, csvRow } from './export-text.js';

export const STREAMED = ['ndjson', 'csv'] as const;
export type StreamedFormat = (typeof STREAMED)[number];

/** Which records are to be handed out. */
export interface ExportSelection {
  readonly types: readonly CompiledType[];
  readonly statuses: readonly Status[];
  readonly caller: Caller;
  /** Whether texts of a table that a spreadsheet would run have an apostrophe before them; otherwise true. */
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
        // Servers answer many exports at the same moment.
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
