import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { valuesOf, type FieldValues, type RecordRow } from './record-row.js';

/** The values of the fields of a record, by name. */
export function fieldValues({ fields }: CompiledType, row: RecordRow): Record<string, unknown> {
  const values = valuesOf(row);
  return Object.fromEntries(fields.map(({ id, name }) => [name, values[id] ?? null]));
}

/** True if values have all that is required of public records. */
export function isWhole({ fields }: CompiledType, values: FieldValues): boolean {
  return fields.every(({ id, required }) => !required || !isNothing(values[id]));
}

/**
 * Finds what keeps a record from being public, whatever the rules were when its values were written. A value that is
 * absent is no fault if its field has a default; one that is taken away is.
 *
 * @param changes what is to be changed in it
 */
export async function publicFaults(
  type: CompiledType,
  row: RecordRow,
  changes: RecordBody = {},
): Promise<readonly Fault[]> {
  const values = Object.entries(fieldValues(type, row)).filter(([, value]) => value !== null);
  const whole = { title: row.title, ...Object.fromEntries(values), ...changes, status: 'published' };
  try {
    await type.prepare(whole, 'create');
    type.requireCreate(whole);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.faults;
    throw error;
  }
}

/** @throws {ValidationError} with all {@link publicFaults} */
export async function requireWhole(type: CompiledType, row: RecordRow, changes: RecordBody): Promise<void> {
  const faults = await publicFaults(type, row, changes);
  if (faults.length > 0) throw new ValidationError(faults);
}

function isNothing(value: unknown): boolean {
  return (value ?? null) === null || value === '' || (Array.isArray(value) && value.length === 0);
}
