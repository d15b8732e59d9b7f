import { DomainError, ValidationError, type Fault } from '../../../common/errors/domain-error.js';
import { compile } from '../../../common/schema/object-validator.js';
import { counted } from '../../../common/text/counted.js';
import { ignoresCase, uniqueKey } from '../../definition/field-index.js';
import { type TypeChanges, mayNarrow, type AddedField, type KeptField } from '../../definition/type-changes.js';
import { isCompatibleKind, kindOf } from '../../kinds/kinds.js';
import type { StoredValues } from '../../store/type-usage.port.js';
import { RepeatedValues } from './repeated-values.js';

/** A change that records would suffer from. */
export interface LossyChange {
  /** Name of the field, or of a taxonomy; `url_path` for addresses. */
  readonly field: string;
  readonly change: 'removed' | 'kind' | 'required' | 'narrowed' | 'unique' | 'address';
  /** How many records. */
  readonly records: number;
  /** Ids of some of them, where records concern each other. */
  readonly ids?: readonly number[];
}

/** Looks at every record for one change. */
export interface Check extends Pick<LossyChange, 'field' | 'change'> {
  /** Whether {@link count} says how many records there are without a look at them. */
  readonly isKnown?: boolean;
  look(record: StoredValues): void;
  count(): number;
  /** Ids of some of these records. */
  examples?(): readonly number[];
  /** Begins another pass over all records. Returns whether it is needed. */
  next?(): boolean;
}

/** Whether a client has said that a loss is meant. What is lossy and not confirmed is refused. */
export type Confirmation = 'confirmed' | 'unconfirmed';

type Suffers = (record: StoredValues) => boolean;

/**
 * The checks that a change needs beforehand. A loss that is confirmed needs no look; values that repeat or are of
 * another kind cannot be confirmed.
 *
 * @param most records that the type has, more or less
 */
export function checksOf(changes: TypeChanges, confirmation: Confirmation, most: number): Check[] {
  const checks = [
    ...changes.removed.map(({ name, id }) => counting(name, 'removed', has(id))),
    ...changes.removedTaxonomies.map((name) =>
      counting(name, 'removed', ({ terms }) => (terms[name] ?? []).length > 0),
    ),
    ...changes.kept.flatMap((field) => keptChecks(field, most)),
    ...changes.added.flatMap((field) => addedChecks(field, most)),
  ];
  return confirmation === 'confirmed' ? checks.filter(isFinal) : checks;
}

/** Whether no confirmation makes up for it. */
function isFinal({ change }: Pick<LossyChange, 'change'>): boolean {
  return change === 'unique' || change === 'kind';
}

function counting(field: string, change: LossyChange['change'], suffers: Suffers): Check {
  let records = 0;
  return {
    field,
    change,
    look: (record) => {
      if (suffers(record)) records += 1;
    },
    count: () => records,
  };
}

const has =
  (id: string): Suffers =>
  ({ values }) =>
    (values[id] ?? null) !== null;

function keptChecks(field: KeptField, most: number): Check[] {
  const { before, after } = field;
  const checks: Check[] = [];
  if (!isSameShape(field)) checks.push(counting(after.name, 'kind', has(before.id)));
  else if (mayNarrow(field)) checks.push(narrowed(field));
  if (after.required && !before.required && after.default === undefined) {
    checks.push(counting(after.name, 'required', (record) => !has(before.id)(record)));
  }
  if (mayRepeat(field)) checks.push(repeated(field, most));
  return checks;
}

/** All records that are there lack a value; where new ones get one by default, nothing has to be sent. */
function addedChecks({ draft }: AddedField, most: number): Check[] {
  if (!draft.required || draft.default !== undefined) return [];
  const check = counting(draft.name, 'required', () => true);
  return [{ ...check, isKnown: most > 0, count: () => Math.max(most, check.count()) }];
}

function narrowed({ before, after }: KeptField): Check {
  const validate = compile(kindOf(after.type).schema(after));
  return counting(after.name, 'narrowed', ({ values }) => {
    const value = values[before.id] ?? null;
    return value !== null && validate(value).length > 0;
  });
}

/** Whether values may repeat by the rules of the new field that did not by those of the old one. */
function mayRepeat({ before, after }: KeptField): boolean {
  return after.unique && (!before.unique || (ignoresCase(after) && !ignoresCase(before)));
}

function isSameShape({ before, after }: KeptField): boolean {
  const isSameNumber = (before.many === true) === (after.many === true);
  const hasSameItems = before.of === after.of || (before.of && after.of && isCompatibleKind(before.of, after.of));
  return isSameNumber && hasSameItems === true && isCompatibleKind(before.type, after.type);
}

function repeated({ before, after }: KeptField, most: number): Check {
  const values = new RepeatedValues(most);
  return {
    field: after.name,
    change: 'unique',
    look: (record) => {
      const value = record.values[before.id] ?? null;
      if (!record.isTrashed && value !== null) values.look(uniqueKey(after, value), record.id);
    },
    count: () => values.records,
    examples: () => values.examples,
    next: () => values.next(),
  };
}

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
