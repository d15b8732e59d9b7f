import { Injectable } from '@nestjs/common';
import { type Caller } from '../../common/access/caller.js';
import { invalidQuery } from '../../common/http/url-query.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { RecordReader } from './record-reader.js';
import { weightOf, valuesOf, type RecordRow } from '../rows/record-row.js';
import { isReadable } from '../rows/record-access.js';
import { RecordViews, referencesOf, type RecordView } from '../rows/record-views.js';
import type { Selection } from './browse-query.js';

/** Characters that records in the place of references may add to one answer. */
const MAX_SIZE = 4 * 1_048_576;

/** Puts records in the place of references when they are read. */
@Injectable()
export class RelationExpansion {
  constructor(
    private readonly types: ContentTypesService,
    private readonly reader: RecordReader,
    private readonly views: RecordViews,
  ) {}

  /**
   * Views of rows of one type, their relations expanded as asked, a level at a time and not row by row.
   * A target that the caller may not see stays a reference.
   *
   * @throws {DomainError} `invalid_query`: there is no such relation, or it would make an answer too long
   */
  async expanded(
    type: CompiledType,
    rows: readonly RecordRow[],
    selection: Selection,
    caller: Caller,
  ): Promise<RecordView[]> {
    await this.requireSecondLevel(type, selection.expand);
    return this.level(type, rows, selection, { caller, expansion: new ExpansionBudget() });
  }

  /** The name behind a dot is a relation of one of the types that the first relation may point to, at least. */
  private async requireSecondLevel(type: CompiledType, expand: Selection['expand']): Promise<void> {
    for (const [first = '', second] of expand) {
      if (second === undefined) continue;
      const names = type.fieldsByName.get(first)?.to ?? [];
      const targets = await Promise.all(names.map((name) => this.types.find(name)));
      if (targets.some((target) => hasReference(target, second))) continue;
      throw invalidQuery('expand', 'unknown', `${names.join(', ')} has no relation ${second}.`);
    }
  }

  private async level(
    type: CompiledType,
    rows: readonly RecordRow[],
    { fields, expand }: Selection,
    context: Context,
  ): Promise<RecordView[]> {
    const names = new Set(expand.map(([name]) => name));
    const relations = type.fields.filter((field) => isReference(field) && names.has(field.name));
    const targets = await this.targetViews(relations, rows, expand, context);
    const terms = await this.views.prepare(rows);
    return rows.map((row) => {
      const inside: RecordView[] = [];
      const view = this.views.of(type, row, terms, fields, (field, reference) => {
        const target = names.has(field.name) ? targets.get(reference.id) : undefined;
        if (target) inside.push(target);
        return target ?? reference;
      });
      context.expansion.noteView(view, row, inside);
      return view;
    });
  }

  /** The views that stand in the place of references, by id. */
  private async targetViews(
    relations: readonly Field[],
    rows: readonly RecordRow[],
    expand: Selection['expand'],
    context: Context,
  ): Promise<ReadonlyMap<number, RecordView>> {
    const views = new Map<number, RecordView>();
    for (const [type, targets] of await this.targets(relations, rows, context)) {
      const deeper = expand.flatMap(([, second]) =>
        second !== undefined && type.fieldsByName.has(second) ? [[second]] : [],
      );
      const shown = await this.level(type, targets, { fields: null, expand: deeper }, context);
      targets.forEach((row, index) => views.set(row.id, shown[index] ?? {}));
    }
    return views;
  }

  /** The visible rows that these fields of these rows point to, by type. */
  private async targets(
    fields: readonly Field[],
    rows: readonly RecordRow[],
    { caller, expansion }: Context,
  ): Promise<ReadonlyMap<CompiledType, RecordRow[]>> {
    const byType = new Map<CompiledType, RecordRow[]>();
    if (fields.length === 0) return byType;
    const ids = rows.flatMap((row) => {
      const values = valuesOf(row);
      return fields.flatMap(({ id }) => referencesOf(values[id])).map((reference) => reference.id);
    });
    for await (const portion of this.reader.portions([...new Set(ids)])) {
      expansion.noteRead(portion);
      for (const row of portion) {
        const type = await this.types.byId(row.type_id);
        if (!type || !isReadable(caller, type, row.status)) continue;
        const others = byType.get(type);
        if (others) others.push(row);
        else byType.set(type, [row]);
      }
    }
    return byType;
  }
}

/** The part that is the same on every level of one answer. */
interface Context {
  readonly caller: Caller;
  readonly expansion: ExpansionBudget;
}

function hasReference(type: CompiledType | null, name: string): boolean {
  const field = type?.fieldsByName.get(name);
  return field !== undefined && isReference(field);
}

/**
 * The limit on what records in the place of references add to one answer. A single long record can stand there
 * a hundred thousand times, and no answer can hold that.
 */
class ExpansionBudget {
  private readonly sizes = new WeakMap<RecordView, number>();
  private read = 0;
  private added = 0;

  /** @throws {DomainError} `invalid_query`: the targets are too long, each taken once */
  noteRead(rows: readonly RecordRow[]): void {
    this.read += sum(rows.map(weightOf));
    requireWithin(this.read);
  }

  /**
   * @param inside what stands in the view in the place of references
   * @throws {DomainError} `invalid_query`: all that stands somewhere is too long
   */
  noteView(view: RecordView, row: RecordRow, inside: readonly RecordView[]): void {
    const added = sum(inside.map((part) => this.sizes.get(part) ?? 0));
    this.added += added;
    requireWithin(this.added);
    this.sizes.set(view, weightOf(row) + added);
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function requireWithin(size: number): void {
  if (size <= MAX_SIZE) return;
  throw invalidQuery('expand', 'max', 'The expanded records are too long for one answer. Ask for fewer at once.');
}
