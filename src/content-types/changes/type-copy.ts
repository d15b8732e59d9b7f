import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { faultsOf } from '../../common/schema/faults.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/validator.js';
import { requireCopiedType, type KnownNames, type TypeDraft } from '../definition/definition.js';
import type { TypeStamp } from '../store/type-store.js';

/** A type as a file of another database has it. */
export interface TypeCopy {
  readonly name: string;
  readonly draft: TypeDraft;
  readonly stamp: TypeStamp;
  /** Those of the fields of the draft, in the same order. */
  readonly fieldIds: readonly string[];
}

type Parts = Readonly<Record<string, unknown>> & { readonly fields: readonly Readonly<Record<string, unknown>>[] };

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
/** The rules of the rest are those that a type had in any release. */
const validate = compile({
  type: 'object',
  properties: {
    version: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
    created_at: TIME,
    updated_at: TIME,
    fields: {
      type: 'array',
      items: {
        type: 'object',
        // A key has to stay far below 2^53: the next fields get greater ones.
        properties: { id: { type: 'string', pattern: '^f_[1-9a-z][0-9a-z]{0,7}$' } },
        required: ['id'],
      },
    },
  },
  required: ['name', 'fields', 'version', 'created_at', 'updated_at'],
});

/** The type that a line defines, or what is wrong with it. */
export function readTypeCopy(body: unknown, known: KnownNames): TypeCopy | { name: string; faults: readonly Fault[] } {
  const { name } = (body ?? {}) as { name?: unknown };
  const shown = typeof name === 'string' ? name : '';
  try {
    return { name: shown, ...requireCopy(body, known) };
  } catch (error) {
    if (error instanceof ValidationError) return { name: shown, faults: error.faults };
    throw error;
  }
}

function requireCopy(body: unknown, known: KnownNames): Omit<TypeCopy, 'name'> {
  const faults = faultsOf(validate(body), new Set());
  if (faults.length > 0) throw new ValidationError(faults);
  // The schema has said so.
  const { version, created_at: created, updated_at: updated, fields, ...rest } = body as Parts;
  const fieldIds = fields.map(({ id }) => String(id));
  if (new Set(fieldIds).size < fieldIds.length) {
    throw new ValidationError([{ field: 'fields', rule: 'repeated', message: 'fields has an id twice.' }]);
  }
  const draft = requireCopiedType({ ...rest, fields: fields.map(({ id: _id, ...field }) => field) }, known);
  const stamp = {
    version: Number(version),
    createdAt: Date.parse(String(created)),
    updatedAt: Date.parse(String(updated)),
  };
  return { draft, stamp, fieldIds };
}
