import { longestList } from './dto-rules.js';
import type { Fault } from './errors/domain-error.js';

/** Values of a field with all that is in them. No DTO takes nearly as many. */
const MAX_VALUES = 1_000;

/**
 * The parts of a body that are too much for its DTO. class-transformer and class-validator walk through each value, some of it in
 * the square of their number, and go on behind a limit that is passed: such a body is refused before they see it.
 *
 * @param dto class of the body
 */
export function extentFaults(body: object, dto: new () => object): Fault[] {
  return Object.entries(body).flatMap(
    ([field, value]) => listFault(field, value, dto) ?? valuesFault(field, value) ?? [],
  );
}

function listFault(field: string, value: unknown, dto: new () => object): Fault | null {
  const most = longestList(dto, field);
  if (most === null || !Array.isArray(value) || value.length <= most) return null;
  return { field, rule: 'array_max_size', message: `${field} must contain no more than ${most} elements.` };
}

function valuesFault(field: string, value: unknown): Fault | null {
  if (!hasMoreThan(value, MAX_VALUES)) return null;
  return { field, rule: 'values', message: `${field} holds more than ${MAX_VALUES} values.` };
}

/** Looks at no more of them. */
function hasMoreThan(value: unknown, most: number): boolean {
  const open = [value];
  for (let seen = 1; open.length > 0;) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const held: unknown[] = Array.isArray(next) ? next : Object.values(next);
    seen += held.length;
    if (seen > most) return true;
    open.push(...held);
  }
  return false;
}
