import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import { ValidationError, type Fault } from '../common/errors/domain-error.js';
import type { CompiledType, Field, RecordBody } from '../content-types/content-type.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { visibleStatuses } from './record-access.js';
import { RecordReader } from './record-reader.js';
import { valuesOf, type RecordRow } from './record-row.js';
import { RecordViews, type RecordView, type Reference } from './record-view.js';

/** Checks the targets of relations when they are written, and puts them in the place of references when they are read. */
@Injectable()
export class Relations {
  constructor(
    private readonly types: ContentTypes,
    private readonly reader: RecordReader,
    private readonly views: RecordViews,
  ) {}

  /** @throws {ValidationError} for every target that does not exist */
  async requireTargets({ fields }: CompiledType, body: RecordBody): Promise<void> {
    const asked = fields
      .filter(({ type, name }) => type === 'relation' && body[name] != null)
      .flatMap((field) => references(body[field.name]).map((reference) => ({ field, reference })));
    if (asked.length === 0) return;
    const rows = await this.reader.byIds([...new Set(asked.map(({ reference }) => reference.id))]);
    const found = new Map(rows.map((row) => [row.id, row]));
    const faults = await Promise.all(
      asked.map(async ({ field, reference }): Promise<Fault[]> => {
        const type = await this.types.byId(found.get(reference.id)?.type_id ?? 0);
        if (type?.name === reference.type) return [];
        return [
          {
            field: field.name,
            rule: 'relation',
            message: `${field.name}: there is no ${reference.type} with the id ${reference.id}.`,
          },
        ];
      }),
    );
    if (faults.flat().length > 0) throw new ValidationError(faults.flat());
  }

  /**
   * Views of rows of one type, their relations expanded as asked. One query per level, however many rows there are.
   * A target that the caller may not see stays a reference.
   */
  async expanded(
    type: CompiledType,
    rows: readonly RecordRow[],
    { fields, expand }: { fields: ReadonlySet<string> | null; expand: readonly (readonly string[])[] },
    caller: Caller,
  ): Promise<RecordView[]> {
    await this.views.prepare(rows);
    if (expand.length === 0) return rows.map((row) => this.views.of(type, row, fields));

    const names = new Set(expand.map(([name]) => name));
    const relations = type.fields.filter((field) => field.type === 'relation' && names.has(field.name));
    const targets = await this.targets(relations, rows, caller);
    const views = new Map<number, RecordView>();
    for (const [target, targetRows] of targets) {
      const deeper = expand.flatMap(([, second]) =>
        second !== undefined && target.fieldsByName.has(second) ? [[second]] : [],
      );
      const shown = await this.expanded(target, targetRows, { fields: null, expand: deeper }, caller);
      targetRows.forEach((row, index) => views.set(row.id, shown[index] ?? {}));
    }
    return rows.map((row) =>
      this.views.of(type, row, fields, (field, reference) =>
        names.has(field.name) ? (views.get(reference.id) ?? reference) : reference,
      ),
    );
  }

  /** The visible rows that these fields of these rows point to, by type. */
  private async targets(
    fields: readonly Field[],
    rows: readonly RecordRow[],
    caller: Caller,
  ): Promise<Map<CompiledType, RecordRow[]>> {
    const ids = rows.flatMap((row) => {
      const values = valuesOf(row);
      return fields.flatMap(({ id }) => references(values[id])).map((reference) => reference.id);
    });
    const byType = new Map<CompiledType, RecordRow[]>();
    if (ids.length === 0) return byType;
    for (const row of await this.reader.byIds([...new Set(ids)])) {
      const type = await this.types.byId(row.type_id);
      if (!type || !isAllowed(caller, 'records:read', type.name)) continue;
      if (!visibleStatuses(caller, type).includes(row.status)) continue;
      byType.set(type, [...(byType.get(type) ?? []), row]);
    }
    return byType;
  }
}

function references(value: unknown): Reference[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as Reference[];
}
