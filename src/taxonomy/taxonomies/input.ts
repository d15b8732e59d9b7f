import type { Fault } from '../../common/errors/domain-error.js';
import { faultsOf } from '../../common/schema/faults.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/object-validator.js';

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
