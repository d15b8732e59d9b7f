/** A JSON Schema (2020-12), as far as it is built here. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** An object that has these properties and no other; it needs all of them, unless `required` names fewer. */
export function objectSchema(
  properties: ObjectSchema['properties'],
  { required = Object.keys(properties), ...rest }: JsonSchema & { readonly required?: readonly string[] } = {},
): ObjectSchema {
  const needed = required.length > 0 ? { required } : {};
  return { type: 'object', ...rest, properties, ...needed, additionalProperties: false };
}

/** The same schema, which also takes `null`. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...(schema.anyOf as unknown[]), { type: 'null' }] };
  if (typeof schema.type !== 'string') return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
}

/** Without the keys that are not set, which Ajv would refuse. */
export function compact(schema: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
