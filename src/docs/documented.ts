import type { OpenAPIV3_1 } from 'openapi-types';

type Schema = OpenAPIV3_1.SchemaObject;

/** Keywords whose value is data, or names of properties, and no schema. */
const DATA_KEYWORDS = new Set(['default', 'examples', 'enum', 'const', 'required']);

/** Syntax that means something else, or nothing, where an expression is compiled without the flag `u`, or by an older engine. */
const NEWER_SYNTAX = /\\[pPu]\{|\(\?[a-z-]+[:)]/;

/**
 * Schemas as any reader of the document understands them: without the keywords that only this service knows, and
 * without patterns that are not the same for every validator. The service itself checks both.
 */
export function documented(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return mapped(schemas, (schema) => cleaned(schema) as Schema);
}

function cleaned(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleaned);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !key.startsWith('x-') && !isForeignPattern(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, cleanedValue(key, value)]));
}

function cleanedValue(key: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(key)) return value;
  // Names of properties are no keywords: one may be called `pattern`.
  return key === 'properties' ? mapped(value as Record<string, unknown>, cleanedProperty) : cleaned(value);
}

/** A default is said in words: generators that see one take the property for one that has to be sent. */
function cleanedProperty(schema: unknown): unknown {
  const property = cleaned(schema);
  if (typeof property !== 'object' || property === null || !('default' in property)) return property;
  const { default: value, ...others } = property as { default: unknown; description?: string };
  const description = [others.description, `\`${JSON.stringify(value)}\` by default.`].filter(Boolean).join(' ');
  return { ...others, description };
}

function mapped<T, U>(members: Readonly<Record<string, T>>, each: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, each(value)]));
}

function isForeignPattern(key: string, value: unknown): boolean {
  if (key !== 'pattern' || typeof value !== 'string') return false;
  return NEWER_SYNTAX.test(value) || !compiles(value, 'u') || !compiles(value, '');
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
