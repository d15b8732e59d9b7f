import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { IfDefined, IsDefined } from '../dto-rules.js';
import { objectOf } from './describe.js';
import { named, type NamedSchema } from './endpoint.js';

/** The description of a body, at its DTO. */
export interface BodyDescription {
  readonly schema: NamedSchema;
  readonly example: unknown;
  readonly isRequired: boolean;
}

export const BODY = 'openapi:body';

interface DescribedField {
  readonly schema: OpenAPIV3_1.SchemaObject;
  readonly isRequired: boolean;
}

const FIELDS = 'openapi:fields';

function fieldsOf(dto: object): Readonly<Record<string, DescribedField>> {
  return (Reflect.getMetadata(FIELDS, dto) ?? {}) as Readonly<Record<string, DescribedField>>;
}

/** Describes a field of a body. */
export const Described =
  (schema: OpenAPIV3_1.SchemaObject, isRequired = false): PropertyDecorator =>
  (dto, name) => {
    Reflect.defineMetadata(FIELDS, { ...fieldsOf(dto), [name]: { schema, isRequired } }, dto);
  };

/** A field that a body needs: its description and its rules. */
export const Field = (schema: OpenAPIV3_1.SchemaObject, ...rules: PropertyDecorator[]) =>
  applyDecorators(...rules.toReversed(), Required(), Described(schema, true));

/** A field that may be missing. */
export const OptionalField = (schema: OpenAPIV3_1.SchemaObject, ...rules: PropertyDecorator[]) =>
  applyDecorators(...rules.toReversed(), IfSent(), Described(schema));

/** Describes the body whose DTO this is by its fields. @param rest what else its schema says */
export const DescribedBody =
  (name: string, example: unknown, rest: Omit<OpenAPIV3_1.NonArraySchemaObject, 'type'> = {}): ClassDecorator =>
  (dto) => {
    const fields = Object.entries(fieldsOf(dto.prototype as object));
    const properties = Object.fromEntries(fields.map(([field, { schema }]) => [field, schema]));
    const required = fields.filter(([, { isRequired }]) => isRequired).map(([field]) => field);
    const isRequired = required.length > 0 || (rest.minProperties ?? 0) > 0;
    const schema = named(name, objectOf(properties, { required, ...rest }));
    SetMetadata(BODY, { schema, example, isRequired } satisfies BodyDescription)(dto);
  };

/** Neither missing nor `null`. */
const Required = () => IsDefined({ message: '$property is required.' });

/** May be missing, but not `null`. */
const IfSent = () => applyDecorators(IfDefined(), Required());
