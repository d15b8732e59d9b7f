import type { Fault } from './errors/domain-error.js';

const MAX_DEPTH = 32;
/** Longer names of places are cut: each fault repeats its own. */
const MAX_PLACE_LENGTH = 200;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** What no field of any record may hold, wherever it stands in a body. */
export function unsafeValues(value: unknown, field = '', depth = 1): Fault[] {
  if (typeof value !== 'object' || value === null) return unsafeScalar(value, field);
  if (depth > MAX_DEPTH) {
    return [{ field, rule: 'depth', message: `The body is nested deeper than ${MAX_DEPTH} levels.` }];
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const path = placeOf(field, key);
    if (FORBIDDEN_KEYS.has(key))
      return [{ field: path, rule: 'forbidden_key', message: `The key "${key}" is not allowed.` }];
    return [...unsafeText(key, path), ...unsafeValues(item, path, depth + 1)];
  });
}

function placeOf(parent: string, key: string): string {
  const place = parent === '' ? key : `${parent}.${key}`;
  return place.length <= MAX_PLACE_LENGTH ? place : `${place.slice(0, MAX_PLACE_LENGTH).toWellFormed()}…`;
}

function unsafeScalar(value: unknown, field: string): Fault[] {
  if (typeof value === 'string') return unsafeText(value, field);
  // JSON may write `1e400`, which is read as infinity and would be kept as `null`.
  if (typeof value !== 'number' || Number.isFinite(value)) return [];
  return [{ field, rule: 'number', message: `${field} is a number that is too large to be kept.` }];
}

function unsafeText(text: string, field: string): Fault[] {
  const name = field === '' ? 'The body' : field;
  if (text.includes('\u0000')) return [{ field, rule: 'nul', message: `${name} must not contain NUL characters.` }];
  if (!text.isWellFormed()) return [{ field, rule: 'unicode', message: `${name} holds half of a surrogate pair.` }];
  return [];
}
