import type { Field, FieldKind } from '../../content-types/content-type.js';
import { Cell } from '../formats/csv.js';
import { momentOf } from '../formats/moments.js';

const NUMBERS: ReadonlySet<FieldKind> = new Set(['integer', 'number']);
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'off'].map((word) => [word, false] as const),
]);

/** What a value of a file is for a field. One that does not fit stays as it is, and the rules of the type refuse it. */
export function fieldValue(field: Field, value: unknown): unknown {
  if (field.type === 'json') return value instanceof Cell ? jsonOf(value.text) : value;
  if (field.type === 'list') return items(value).map((item) => scalar(field.of ?? 'string', item));
  if (field.type === 'relation') return field.many === true ? items(value).map(idOf) : idOf(plain(value));
  return scalar(field.type, plain(value));
}

function plain(value: unknown): unknown {
  return value instanceof Cell ? value.text : value;
}

function items(value: unknown): unknown[] {
  if (value instanceof Cell) return value.parts;
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function scalar(kind: FieldKind, value: unknown): unknown {
  if (typeof value === 'string') return fromText(kind, value.trim() === '' ? value : value.trim());
  const isWord = typeof value === 'number' || typeof value === 'boolean';
  return isWord && !NUMBERS.has(kind) && kind !== 'boolean' ? String(value) : value;
}

function fromText(kind: FieldKind, text: string): unknown {
  if (NUMBERS.has(kind)) return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'boolean') return WORDS.get(text.toLowerCase()) ?? text;
  if (kind !== 'datetime') return text;
  const at = momentOf(text);
  return at === null ? text : new Date(at).toISOString();
}

function idOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
