import type { CompiledType } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';

/** A small body that creates a record of a type; `null` where what is required cannot be made up. */
export function sampleBody({ fields }: CompiledType): Record<string, unknown> | null {
  const required = fields.filter((field) => field.required && field.default === undefined);
  const own = required.map((field) => [field.name, sampleOf(field)] as const);
  if (own.some(([, value]) => value === undefined)) return null;
  return { title: 'Hello world', body: '# Hello', status: 'draft', ...Object.fromEntries(own) };
}

/** Nothing is made up for a pattern, nor for a relation, whose record would have to exist. */
function sampleOf(field: Field): unknown {
  return field.pattern === undefined && !isReference(field) ? kindOf(field.type).sample(field) : undefined;
}
