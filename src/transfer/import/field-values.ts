import type { Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import { partsOf } from '../formats/csv/cell-parts.js';
import type { Cell, SourceValue } from '../formats/import-entry.js';

/** What a value of a file is for a field. One that does not fit stays as it is, and the rules of the type refuse it. */
export function fieldValue(field: Field, given: SourceValue | Cell): unknown {
  const kind = kindOf(field.type);
  const hasItems = kind.maxItems(field) !== undefined;
  if ('cell' in given) {
    return hasItems ? partsOf(given).map((part) => kind.fromCell(part, field)) : kind.fromCell(given.cell, field);
  }
  return hasItems ? itemsOf(given).map((item) => kind.fromValue(item, field)) : kind.fromValue(given.value, field);
}

function itemsOf({ value }: SourceValue): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
