import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { ListEnvelope, ListMeta } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { LongAnswer } from '../../common/http/long-answer.js';
import type { CompiledType, Status } from '../../content-types/content-type.js';
import { RecordReader } from '../record-reader.js';
import { isUnread, type ListedRow, type RecordRow } from '../record-row.js';
import type { RecordView } from '../record-view.js';
import { Relations } from '../writing/relations.js';
import type { Selection } from './browse-query.js';
import { Expansion } from './expansion.js';
import { ViewTexts } from './view-texts.js';

/** How much of a record is shown, and to whom. */
interface ShowingOne {
  readonly type: CompiledType;
  readonly selection: Selection;
  readonly caller: Caller;
}

/** The same of a list, and which records are in it. */
interface Showing extends ShowingOne {
  readonly statuses: readonly Status[];
  readonly isTrash: boolean;
}

export type ListAnswer = Answer<ListEnvelope<RecordView>> | LongAnswer;

/** Above so many characters of contents a list is made piece by piece. */
const LONG_LIST = 524_288;

/** Puts records into answers: short ones in one go, long ones piece by piece. */
@Injectable()
export class RecordAnswers {
  constructor(
    private readonly reader: RecordReader,
    private readonly relations: Relations,
  ) {}

  async view(row: RecordRow, { type, selection, caller }: ShowingOne): Promise<RecordView> {
    const [view = {}] = await this.relations.expanded(type, [row], selection, caller);
    return view;
  }

  /** A record with others in the place of references. */
  async expanded(row: RecordRow, showing: ShowingOne): Promise<LongAnswer> {
    const parts = await this.parts(row, showing);
    return LongAnswer.of(function* () {
      yield '{"data":';
      yield* parts();
      yield '}';
    });
  }

  async list(rows: readonly ListedRow[], meta: ListMeta, showing: Showing): Promise<ListAnswer> {
    const { type, selection, caller } = showing;
    const read = rows.filter((row) => !isUnread(row));
    const expansion = new Expansion();
    const data = await this.relations.expanded(type, read, selection, caller, expansion);
    const isShort = read.length === rows.length && selection.expand.length === 0 && lengthOf(read) <= LONG_LIST;
    if (isShort) return Answer.hashed({ data, meta });

    const views = new Map(read.map(({ id }, index) => [id, data[index] ?? {}]));
    const texts = new ViewTexts(expansion.isView);
    const textOf = (row: ListedRow) => {
      const view = views.get(row.id);
      return view ? texts.of(view) : this.unread(row, showing);
    };
    return LongAnswer.of(() => listParts(rows, meta, textOf));
  }

  /** A long record, read when it is its turn. Nothing, if it may not be seen any more. */
  private async *unread(row: ListedRow, showing: Showing): AsyncGenerator<string> {
    const whole = await this.reader.listed(row, showing);
    if (whole) yield* (await this.parts(whole, showing))();
  }

  private async parts(row: RecordRow, { type, selection, caller }: ShowingOne): Promise<() => Generator<string>> {
    const expansion = new Expansion();
    const [view = {}] = await this.relations.expanded(type, [row], selection, caller, expansion);
    const texts = new ViewTexts(expansion.isView);
    return () => texts.of(view);
  }
}

/** @param textOf the parts of the text of a row; none where it is to be left out */
async function* listParts(
  rows: readonly ListedRow[],
  meta: ListMeta,
  textOf: (row: ListedRow) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '{"data":[';
  let isFirst = true;
  for (const row of rows) {
    let before = isFirst ? '' : ',';
    for await (const part of textOf(row)) {
      yield before + part;
      before = '';
      isFirst = false;
    }
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

function lengthOf(rows: readonly RecordRow[]): number {
  let length = 0;
  // Rows that were read without their contents have neither.
  for (const { body, data } of rows) length += (body?.length ?? 0) + ((data as string | undefined)?.length ?? 0);
  return length;
}
