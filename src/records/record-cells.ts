import { channel } from 'node:diagnostics_channel';

/** A cell of a record that does not hold what was written. */
export interface DamagedCell {
  /** `undefined`: the row was read without it. */
  readonly recordId: number | undefined;
  readonly column: 'data' | 'terms';
}

/** Channel of `node:diagnostics_channel` that names each damaged cell that is read, as a {@link DamagedCell}. */
export const DAMAGED_CELLS = 'cms:damaged-record-cell';

const damagedCells = channel(DAMAGED_CELLS);

type Row = Readonly<Partial<Record<'data' | 'terms', string | null>>> & { readonly id?: number | string };

/** The object that a column keeps as JSON, empty where it keeps none; `null`: the cell is damaged. */
export function soundCell(json: string | null | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    // By its type an object, which may have any keys.
    return typeof value === 'object' && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/**
 * The object that a column of a record keeps as JSON. A damaged cell says nothing: one bad record must not take the lists
 * of its type out of service, can be written and rolled back, and is named by `doctor --deep`.
 */
export function readCell(row: Row, column: DamagedCell['column']): Readonly<Record<string, unknown>> {
  const value = soundCell(row[column]);
  if (value !== null) return value;
  const recordId = row.id === undefined ? undefined : Number(row.id);
  damagedCells.publish({ recordId, column } satisfies DamagedCell);
  return {};
}
