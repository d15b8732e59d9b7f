import type { CompiledType, Field } from '../../content-types/content-type.js';

type Sample = string | number | boolean | readonly unknown[] | object | undefined;

const FIXED: Partial<Record<Field['type'], Sample>> = {
  boolean: true,
  email: 'ana@example.org',
  url: 'https://www.example.org/',
  json: { any: 'value' },
};

/** For kinds that have a smallest or largest value, where the field has none. */
const FALLBACKS: Partial<Record<Field['type'], Sample>> = {
  integer: 1,
  number: 1,
  date: '2026-03-14',
  datetime: '2026-03-14T09:26:53.589Z',
};

/** A small body that creates a record of a type; `null` where what is required cannot be made up. */
export function sampleBody({ fields }: CompiledType): Record<string, unknown> | null {
  const required = fields.filter((field) => field.required && field.default === undefined);
  const own = required.map((field) => [field.name, sampleOf(field)] as const);
  if (own.some(([, value]) => value === undefined)) return null;
  return { title: 'Hello world', body: '# Hello', status: 'draft', ...Object.fromEntries(own) };
}

function sampleOf(field: Field): Sample {
  if (field.pattern !== undefined) return undefined;
  if (field.type === 'list') return listSample(field);
  if (field.type === 'relation') return relationSample(field);
  return FIXED[field.type] ?? scalarSample(field);
}

function listSample({ of = 'string', min_length: least, max_length: _, ...field }: Field): Sample {
  const item = sampleOf({ ...field, type: of });
  return item === undefined ? undefined : Array.from({ length: Math.max(1, least ?? 1) }, () => item);
}

function relationSample({ to = [], many, min_length: least }: Field): Sample {
  const one = to.length === 1 ? 1 : { id: 1, type: to[0] };
  return many === true ? Array.from({ length: Math.max(1, least ?? 1) }, () => one) : one;
}

function scalarSample(field: Field): Sample {
  if (field.type === 'enum') return field.values?.[0];
  const fallback = FALLBACKS[field.type];
  return fallback === undefined ? textSample(field) : (field.min ?? field.max ?? fallback);
}

function textSample({ min_length: least = 1, max_length: most = 255 }: Field): string {
  return 'Some text'.padEnd(least, '.').slice(0, most);
}
