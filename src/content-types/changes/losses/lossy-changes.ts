import { counted } from '../../../common/text/counted.js';
import { DomainError, ValidationError, type Fault } from '../../../common/errors/domain-error.js';
import type { Check, LossyChange } from './lossy-checks.js';
import type { TypeChanges } from '../../definition/type-changes.js';

/**
 * Refuses a change of which checks have found that records would suffer from it.
 *
 * @throws {DomainError} `type_in_use` with the number of records; {ValidationError} values cannot change their kind
 */
export function requireLossless(name: string, changes: TypeChanges, checks: readonly Check[]): void {
  const found = checks.map(changeOf).filter(({ records }) => records > 0);
  refuseKinds(found, changes);
  if (found.length > 0) throw typeInUse(name, found);
}

function changeOf({ field, change, ...check }: Check): LossyChange {
  const ids = check.examples?.() ?? [];
  return { field, change, records: check.count(), ...(ids.length > 0 ? { ids } : {}) };
}

function refuseKinds(found: readonly LossyChange[], { kept }: TypeChanges): void {
  const faults = found
    .filter(({ change }) => change === 'kind')
    .map(({ field, records }): Fault => {
      const at = kept.find(({ after }) => after.name === field)?.position ?? 0;
      const message = `${field} has a value in ${counted(records, 'record')} and cannot change its kind. Add a new field instead.`;
      return { field: `fields.${at}.type`, rule: 'kind', message };
    });
  if (faults.length > 0) throw new ValidationError(faults);
}

/** The refusal of changes that concern records. Values that repeat have to be mended first; the rest can be confirmed. */
export function typeInUse(name: string, changes: readonly LossyChange[]): DomainError {
  const list = changes
    .map(
      ({ field, change, records, ids }) => `${field} (${change}): ${counted(records, 'record')}${named(records, ids)}`,
    )
    .join(', ');
  return new DomainError('type_in_use', `The change concerns records: ${list}. ${adviceFor(name, changes)}`, {
    details: changes,
  });
}

/** `' (12, 57, …)'` */
function named(records: number, ids: readonly number[] = []): string {
  return ids.length === 0 ? '' : ` (${[...ids, ...(ids.length < records ? ['…'] : [])].join(', ')})`;
}

export function isTypeInUse(error: unknown): boolean {
  return error instanceof DomainError && error.error === 'type_in_use';
}

function adviceFor(name: string, changes: readonly LossyChange[]): string {
  if (changes.some(({ change }) => change === 'unique')) {
    return 'First change values that repeat, and values that differ in case only if the field ignores case.';
  }
  if (changes.some(({ change }) => change === 'address')) {
    return 'They have one slug in several locales and would have one address. Change their slugs, or keep {locale} or {id} in url_path.';
  }
  return `Add ?confirm=${name} if that is meant.`;
}
