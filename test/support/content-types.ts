import type { TypeDefinition } from '../../src/content-types/definition/content-type.js';
import type { Field } from '../../src/content-types/kinds/field.js';

let lastKey = 0;

/** A field with the rules that a test is about. */
export function aField(rules: Partial<Field> & Pick<Field, 'name' | 'type'>): Field {
  const key = ++lastKey;
  return {
    key,
    id: `f_${key.toString(36)}`,
    label: rules.name,
    required: false,
    unique: false,
    indexed: false,
    searchable: false,
    ...rules,
  };
}

/** A content type with the parts that a test is about. */
export function aType(parts: Partial<TypeDefinition> = {}): TypeDefinition {
  return {
    id: 1,
    name: 'post',
    label: 'Post',
    label_plural: 'Posts',
    description: '',
    taxonomies: [],
    url_path: '/post/{slug}',
    sitemap: true,
    body: 'markdown',
    revisions: { keep: 100 },
    fields: [],
    version: 1,
    created_at: 0,
    updated_at: 0,
    ...parts,
  };
}
