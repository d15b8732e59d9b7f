import { isJsonObject } from './json-object.js';

/** True if two values are the same JSON in any order of keys. Stops at the first difference, and writes nothing out. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [left, right] = [writtenAs(one), writtenAs(other)];
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((value, at) => isSameJson(value, right[at]));
  if (isJsonObject(left) && isJsonObject(right)) return isSameObject(left, right);
  return left === right;
}

type Entries = Readonly<Record<string, unknown>>;

function writtenAs(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toJSON();
  return value ?? null;
}

/** A key without a value is not written. */
function isSameObject(left: Entries, right: Entries): boolean {
  let missing = 0;
  for (const key of Object.keys(right)) if (right[key] !== undefined) missing += 1;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(right, key) || right[key] === undefined || !isSameJson(value, right[key])) return false;
    missing -= 1;
  }
  return missing === 0;
}
