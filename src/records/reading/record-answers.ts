import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { ListEnvelope, ListMeta } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { LongAnswer } from '../../common/http/sending/long-answer.js';
import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { RecordReader } from './record-reader.js';
import { areLong, PORTION_WEIGHT, portionsOf } from '../rows/long-rows.js';
import { isUnread, type ListedRow, type RecordMark, type RecordRow } from '../rows/record-row.js';
import { RecordViews, type RecordView } from '../rows/record-views.js';
import { ExpansionBudget, RelationExpansion } from './relation-expansion.js';
import type { Selection } from './browse-query.js';
import { RecordTextCache } from './record-text-cache.js';

/** How much of a record is shown, and to whom. */
interface RecordDisplay {
  readonly type: CompiledType;
  readonly selection: Selection;
  readonly caller: Caller;
}

/** The same of a list, and which records are in it. */
interface ListDisplay extends RecordDisplay {
  readonly statuses: readonly Status[];
  readonly isTrash: boolean;
}

/** Bytes: the JSON text of such an envelope. */
export type ListAnswer = Answer<ListEnvelope<RecordView> | Buffer> | LongAnswer;

/** Puts records into answers: short ones in one go, long ones piece by piece. */
@Injectable()
export class RecordAnswers {
  constructor(
    private readonly reader: RecordReader,
    private readonly views: RecordViews,
    private readonly relations: RelationExpansion,
    private readonly texts: RecordTextCache,
  ) {}

  /** A record whose references stay references. */
  async view(row: RecordRow, { type, selection }: RecordDisplay): Promise<RecordView> {
    const terms = await this.views.prepare([row]);
    return this.views.of(type, row, terms, selection.fields);
  }

  /** A record with others in the place of references. */
  async expanded(row: RecordRow, showing: RecordDisplay): Promise<LongAnswer> {
    const parts = await this.parts(row, showing);
    return LongAnswer.of(function* () {
      yield '{"data":';
      yield* parts();
      yield '}';
    });
  }

  async list(rows: readonly ListedRow[], meta: ListMeta, showing: ListDisplay): Promise<ListAnswer> {
    const { type, selection, caller } = showing;
    const read = rows.filter((row) => !isUnread(row));
    if (selection.expand.length > 0) return this.expandedList(rows, meta, showing);
    if (read.length < rows.length || areLong(read))
      return LongAnswer.of(() => listParts(this.textsOf(rows, showing), meta));
    return Answer.hashed({ data: await this.relations.expanded(type, read, selection, caller), meta });
  }

  /**
   * A list of whole records, put together from texts that are known; those of other records are made.
   *
   * @returns `long`: it is too long for that; `changed`: a record has changed since its version was read
   */
  async fromTexts(
    marks: readonly RecordMark[],
    meta: ListMeta,
    { type }: Pick<RecordDisplay, 'type'>,
  ): Promise<Answer<Buffer> | 'long' | 'changed'> {
    const texts = await this.texts.find(type, marks);
    const missing = marks.filter(({ id }) => !texts.has(id));
    if (missing.length > 0) {
      const rows = await this.reader.versions(missing);
      const short = rows.filter((row) => !isUnread(row));
      if (short.length < rows.length || areLong(short)) return 'long';
      if (rows.length < missing.length) return 'changed';
      for (const [id, text] of await this.texts.make(type, short)) texts.set(id, text);
    }
    const parts = marks.flatMap(({ id }) => texts.get(id) ?? []);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return length > PORTION_WEIGHT ? 'long' : Answer.hashed(joined(parts, meta));
  }

  private async expandedList(rows: readonly ListedRow[], meta: ListMeta, showing: ListDisplay): Promise<LongAnswer> {
    const { type, selection, caller } = showing;
    const read = rows.filter((row) => !isUnread(row));
    const expansion = new ExpansionBudget();
    const data = await this.relations.expanded(type, read, selection, caller, expansion);
    const views = new Map(read.map(({ id }, index) => [id, data[index] ?? {}]));
    await this.requireShort(rows.filter(isUnread), expansion, showing);
    const texts = new ViewTexts(expansion.isView);
    const textOf = (row: ListedRow): RecordText => {
      const view = views.get(row.id);
      return view ? texts.of(view) : this.unread(row, showing);
    };
    return LongAnswer.of(() => listParts(rows.map(textOf), meta));
  }

  /** The texts of records, each portion of them made when it is its turn, and let go of after it. */
  private async *textsOf(rows: readonly ListedRow[], showing: ListDisplay): AsyncGenerator<RecordText> {
    const { type, selection, caller } = showing;
    for (const portion of portionsOf(rows)) {
      // One that is yet to be read is a portion by itself.
      yield* portion.filter(isUnread).map((row) => this.unread(row, showing));
      const read = portion.filter((row) => !isUnread(row));
      if (read.length === 0) continue;
      await ownTurn();
      for (const view of await this.relations.expanded(type, read, selection, caller)) yield [JSON.stringify(view)];
    }
  }

  /**
   * Long records are read once more when it is their turn: what would make the answer too long has to be known before
   * its first byte.
   *
   * @throws {DomainError} `invalid_query`
   */
  private async requireShort(
    rows: readonly ListedRow[],
    expansion: ExpansionBudget,
    showing: ListDisplay,
  ): Promise<void> {
    const { type, selection, caller } = showing;
    for (const row of rows) {
      await ownTurn();
      const whole = await this.reader.listed(row, showing);
      if (whole) await this.relations.expanded(type, [whole], selection, caller, expansion);
    }
  }

  /** A long record, read when it is its turn. Nothing, if it may not be seen any more. */
  private async *unread(row: ListedRow, showing: ListDisplay): AsyncGenerator<string> {
    const whole = await this.reader.listed(row, showing);
    if (!whole) return;
    // A server answers several requests at the same moment.
    await ownTurn();
    yield* (await this.parts(whole, showing))();
  }

  private async parts(row: RecordRow, { type, selection, caller }: RecordDisplay): Promise<() => Generator<string>> {
    const expansion = new ExpansionBudget();
    const [view = {}] = await this.relations.expanded(type, [row], selection, caller, expansion);
    const texts = new ViewTexts(expansion.isView);
    return () => texts.of(view);
  }
}

const START = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

function joined(texts: readonly Buffer[], meta: ListMeta): Buffer {
  const data = texts.flatMap((text, index) => (index === 0 ? [text] : [COMMA, text]));
  return Buffer.concat([START, ...data, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]);
}

/** The text of a record, part by part; none where it is to be left out. */
type RecordText = Iterable<string> | AsyncIterable<string>;

async function* listParts(
  texts: Iterable<RecordText> | AsyncIterable<RecordText>,
  meta: ListMeta,
): AsyncGenerator<string> {
  yield '{"data":[';
  let isFirst = true;
  for await (const text of texts) {
    let before = isFirst ? '' : ',';
    for await (const part of text) {
      yield before + part;
      before = '';
      isFirst = false;
    }
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

/** Whether a value of a view is a view itself: a record in the place of a reference. */
type IsView = (value: unknown) => value is RecordView;

/**
 * JSON texts of views, part by part: a record may stand in the place of thousands of references, and is made into text
 * once for all of them.
 */
class ViewTexts {
  private readonly known = new Map<RecordView, string>();

  constructor(private readonly isView: IsView) {}

  *of(view: RecordView): Generator<string> {
    const entries = Object.entries(view);
    if (!entries.some(([, value]) => this.hasView(value))) {
      yield this.plain(view);
      return;
    }
    let before = '{';
    for (const [key, value] of entries) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* this.value(value);
      before = ',';
    }
    yield '}';
  }

  private *value(value: unknown): Generator<string> {
    if (this.isView(value)) yield* this.of(value);
    else if (Array.isArray(value) && this.hasView(value)) yield* this.items(value);
    else yield JSON.stringify(value);
  }

  private *items(values: readonly unknown[]): Generator<string> {
    let before = '[';
    for (const value of values) {
      yield before;
      yield* this.value(value);
      before = ',';
    }
    yield ']';
  }

  private plain(view: RecordView): string {
    const known = this.known.get(view) ?? JSON.stringify(view);
    this.known.set(view, known);
    return known;
  }

  private hasView(value: unknown): boolean {
    return Array.isArray(value) ? value.some(this.isView) : this.isView(value);
  }
}
