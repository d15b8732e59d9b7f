import type { Fault } from '../../common/errors/domain-error.js';
import { faultsOf } from '../../common/schema/faults.js';
import { objectSchema, type JsonSchema } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/object-validator.js';
import { MAX_LABEL_LENGTH, MAX_NAME_LENGTH, NAME_PATTERN } from '../../common/text/names.js';

/** A body as far as it fits, and every way in which the rest does not. */
export interface Input<Body> {
  readonly body: Partial<Body>;
  readonly faults: readonly Fault[];
}

/**
 * Reads bodies by a schema. Parts that do not fit are left out, so that the others can still be asked whether they
 * make sense: all faults are reported at once.
 *
 * @param readOnly keys that the service sets
 */
export function reader<Body extends object>(schema: JsonSchema, readOnly: string): (body: unknown) => Input<Body> {
  const validate = compile(schema);
  const own = new Set(readOnly.split(' '));
  return (sent) => {
    const faults = faultsOf(validate(sent), own);
    const broken = new Set(faults.map(({ field }) => field));
    const parts = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
    const sound = parts.filter(([key]) => !broken.has(key) && !broken.has(''));
    // Every part that is left has the shape that the schema demands of it.
    return { body: Object.fromEntries(sound) as Partial<Body>, faults };
  };
}

/** The body of a request that makes or changes a taxonomy. */
export interface TaxonomyBody {
  readonly name: string;
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly hierarchical: boolean;
}

const LABEL: JsonSchema = {
  type: 'string',
  maxLength: MAX_LABEL_LENGTH,
  'x-not-blank': true,
  'x-no-controls': true,
  'x-no-overrides': true,
};
const OWN = {
  name: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN },
  label: LABEL,
  label_plural: LABEL,
  description: { type: 'string', maxLength: 1_000 },
  hierarchical: { type: 'boolean', description: 'Whether terms can have terms below them.' },
} as const satisfies Readonly<Record<keyof TaxonomyBody, JsonSchema>>;

/** Body of `POST /api/admin/taxonomies`. */
export const TAXONOMY_CREATE = objectSchema(OWN, {
  description: 'A taxonomy that is to be declared.',
  required: ['name'],
});

/** Body of a change: what is not sent stays. */
export const TAXONOMY_UPDATE = objectSchema(OWN, { description: 'The parts to change; the rest stays.', required: [] });

const READ_ONLY = 'id version created_at updated_at';

export const readNewTaxonomy = reader<TaxonomyBody>(TAXONOMY_CREATE, READ_ONLY);
export const readTaxonomyChange = reader<TaxonomyBody>(TAXONOMY_UPDATE, READ_ONLY);
