import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { invalidQuery } from '../../common/http/url-query.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import type { Selection } from '../lists/browse-query.js';
import { Expansion } from '../lists/expansion.js';
import { visibleStatuses } from '../rows/record-access.js';
import { RecordReader, type RecordHead } from '../record-reader.js';
import { valuesOf, type FieldValues, type RecordRow } from '../rows/record-row.js';
import { RecordViews, type RecordView, type Reference } from '../rows/record-view.js';

/** What a field of a body points to. */
interface Target {
  readonly field: Field;
  readonly reference: Reference;
}

/** Checks the targets of relations when they are written, and puts them in the place of references when they are read. */
@Injectable()
export class Relations {
  constructor(
    private readonly types: ContentTypesService,
    private readonly reader: RecordReader,
    private readonly views: RecordViews,
  ) {}

  /**
   * @param before values that the record has had so far: a target that it already points to need not be visible
   * @throws {ValidationError} for every new target that does not exist, or not for the caller
   */
  async requireTargets(type: CompiledType, body: RecordBody, caller: Caller, before: FieldValues = {}): Promise<void> {
    const missing = await this.missingTargets(type, body, caller, before);
    if (missing.length === 0) return;
    throw new ValidationError(
      missing.map(({ field: { name: field }, reference }) => {
        const message = `${field}: there is no ${reference.type} with the id ${reference.id}.`;
        return { field, rule: 'relation', message };
      }),
    );
  }

  /** Every new target that does not exist, or not for the caller. */
  async missingTargets(
    type: CompiledType,
    body: RecordBody,
    caller: Caller,
    before: FieldValues = {},
  ): Promise<readonly Target[]> {
    const asked = newTargets(type, body, before);
    if (asked.length === 0) return [];
    const found = await this.reader.headsOf([...new Set(asked.map(({ reference }) => reference.id))]);
    const visible = await this.visibleAmong([...found.values()], caller);
    return asked.filter(({ reference: { id, type: name } }) => visible.get(id) !== name);
  }

  /** The names of their types, of those records that the caller may see, by id. */
  private async visibleAmong(heads: readonly RecordHead[], caller: Caller): Promise<ReadonlyMap<number, string>> {
    const visible = new Map<number, string>();
    for (const typeId of new Set(heads.map(({ type_id: id }) => id))) {
      const type = await this.types.byId(typeId);
      if (!type) continue;
      const statuses = visibleStatuses(caller, type);
      for (const { id, type_id: own, status } of heads) {
        if (own === typeId && statuses.includes(status)) visible.set(id, type.name);
      }
    }
    return visible;
  }

  /**
   * Views of rows of one type, their relations expanded as asked, a level at a time and not row by row.
   * A target that the caller may not see stays a reference.
   *
   * @param expansion knows afterwards which values of the views are records
   * @throws {DomainError} `invalid_query`: there is no such relation, or it would make an answer too long
   */
  async expanded(
    type: CompiledType,
    rows: readonly RecordRow[],
    selection: Selection,
    caller: Caller,
    expansion = new Expansion(),
  ): Promise<RecordView[]> {
    if (selection.expand.length > 0) {
      await this.requireSecondLevel(type, selection.expand);
      return this.level(type, rows, selection, { caller, expansion });
    }
    const terms = await this.views.prepare(rows);
    return rows.map((row) => this.views.of(type, row, terms, selection.fields));
  }

  /** What stands behind a dot is a relation of one of the types that the first relation may point to, at least. */
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
    const terms = await this.views.prepare(rows);
    const targets = await this.targetViews(relations, rows, expand, context);
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

  /** What is to stand in the place of references, by id. */
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
      return fields.flatMap(({ id }) => references(values[id])).map((reference) => reference.id);
    });
    for await (const portion of this.reader.portions([...new Set(ids)])) {
      expansion.noteRead(portion);
      for (const row of portion) {
        const type = await this.types.byId(row.type_id);
        if (!type || !isVisible(row, type, caller)) continue;
        const others = byType.get(type);
        if (others) others.push(row);
        else byType.set(type, [row]);
      }
    }
    return byType;
  }
}

/** What is the same on every level of one answer. */
interface Context {
  readonly caller: Caller;
  readonly expansion: Expansion;
}

function isVisible({ status }: RecordRow, type: CompiledType, caller: Caller): boolean {
  return isAllowed(caller, 'records:read', type.name) && visibleStatuses(caller, type).includes(status);
}

/** What a body points to and the record did not point to before. */
function newTargets({ fields }: CompiledType, body: RecordBody, before: FieldValues): Target[] {
  return fields
    .filter((field) => isReference(field) && body[field.name] != null)
    .flatMap((field) => {
      const known = new Set(references(before[field.id]).map(({ id }) => id));
      return references(body[field.name])
        .filter(({ id }) => !known.has(id))
        .map((reference) => ({ field, reference }));
    });
}

function hasReference(type: CompiledType | null, name: string): boolean {
  const field = type?.fieldsByName.get(name);
  return field !== undefined && isReference(field);
}

function references(value: unknown): Reference[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as Reference[];
}
