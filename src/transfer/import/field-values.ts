import type { Field, FieldKind } from '../../content-types/content-type.js';
import { partsOf } from '../formats/cell-parts.js';
import type { Cell, Given } from '../formats/import-entry.js';
import { momentOf } from '../formats/moments.js';

const NUMBERS: ReadonlySet<FieldKind> = new Set(['integer', 'number']);
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'off'].map((word) => [word, false] as const),
]);

/** What a value of a file is for a field. One that does not fit stays as it is, and the rules of the type refuse it. */
export function fieldValue(field: Field, given: Given | Cell): unknown {
  if (field.type === 'json') return 'cell' in given ? jsonOf(given.cell) : given.value;
  if (field.type === 'list') return items(given).map((item) => scalar(field.of ?? 'string', item));
  if (field.type === 'relation') return field.many === true ? items(given).map(idOf) : idOf(plain(given));
  return scalar(field.type, plain(given));
}

function plain(given: Given | Cell): unknown {
  return 'cell' in given ? given.cell : given.value;
}

function items(given: Given | Cell): unknown[] {
  if ('cell' in given) return partsOf(given);
  return Array.isArray(given.value) ? (given.value as unknown[]) : [given.value];
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
