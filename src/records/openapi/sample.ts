import type { CompiledType, Field } from '../../content-types/content-type.js';

type Sample = string | number | boolean | readonly unknown[] | object | undefined;

const FIXED: Partial<Record<Field['type'], Sample>> = {
  boolean: true,
  email: 'ana@example.org',
  url: 'https://www.example.org/',
  json: { any: 'value' },
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

function scalarSample({ type, values, min, max, min_length: least = 1, max_length: most = 255 }: Field): Sample {
  switch (type) {
    case 'enum':
      return values?.[0];
    case 'integer':
    case 'number':
      return min ?? (typeof max === 'number' ? Math.min(1, max) : 1);
    case 'date':
      return min ?? max ?? '2026-03-14';
    case 'datetime':
      return min ?? max ?? '2026-03-14T09:26:53.589Z';
    default:
      return 'Some text'.padEnd(least, '.').slice(0, most);
  }
}
