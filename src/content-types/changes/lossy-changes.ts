import { DomainError, ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { compile } from '../../common/schema/object-validator.js';
import { counted } from '../../common/text/counted.js';
import { uniqueKey } from '../definition/field-index.js';
import { type TypeChanges, mayNarrow, type AddedField, type KeptField } from '../definition/type-changes.js';
import type { Field } from '../kinds/field.js';
import { isCompatibleKind, kindOf } from '../kinds/kinds.js';
import type { CopiedValues, StoredValues } from '../store/type-usage.port.js';
import { MAX_EXAMPLES, RepeatedValues } from './repeated-values.js';

/** A change that records would suffer from. */
export interface LossyChange {
  /** Name of the field, or of a taxonomy; `url_path` for addresses. */
  readonly field: string;
  readonly change: 'removed' | 'kind' | 'required' | 'narrowed' | 'unique' | 'address';
  /** Number of records. */
  readonly records: number;
  /** Ids of some of them. */
  readonly ids?: readonly number[];
}

/** Looks at every record for one change. */
export interface Check extends Pick<LossyChange, 'field' | 'change'> {
  /** True if {@link count} says how many records there are without a look at all of them. */
  readonly isKnown?: boolean;
  look(record: StoredValues): void;
  /** Tells whether the working copy of a record would suffer; absent: none would. */
  concerns?(copy: CopiedValues): boolean;
  /** Looks at a record whose working copy would suffer. */
  lookBehind?(record: StoredValues): void;
  count(): number;
  /** Number of these records that would suffer in their working copies only. */
  copies?(): number;
  /** Ids of some of these records. */
  examples?(): readonly number[];
}

/** The word of a client on a loss. A loss that is not confirmed is refused. */
export type Confirmation = 'confirmed' | 'unconfirmed';

type Contents = Pick<CopiedValues, 'values' | 'terms'>;
type Suffers = (contents: Contents) => boolean;

/** A finding of a check. */
interface Found extends LossyChange {
  /** Number of the records that suffer in their working copies only. */
  readonly copies: number;
}

/**
 * The checks that a change needs beforehand. A loss that is confirmed needs no look; values that repeat or are of
 * another kind cannot be confirmed.
 *
 * @param most records that the type has, more or less
 */
export function checksOf(changes: TypeChanges, confirmation: Confirmation, most: number): Check[] {
  const checks = [
    ...changes.removed.map(({ name, id }) => countingCopies(name, 'removed', has(id))),
    ...changes.removedTaxonomies.map((name) =>
      countingCopies(name, 'removed', ({ terms }) => (terms[name] ?? []).length > 0),
    ),
    ...changes.kept.flatMap(keptChecks),
    ...changes.added.flatMap((field) => addedChecks(field, most)),
  ];
  return confirmation === 'confirmed' ? checks.filter(isFinal) : checks;
}

/** Tells whether no confirmation makes up for it. */
function isFinal({ change }: Pick<LossyChange, 'change'>): boolean {
  return change === 'unique' || change === 'kind';
}

function counting(
  field: string,
  change: LossyChange['change'],
  suffers: Suffers,
): Check & Required<Pick<Check, 'examples'>> {
  const ids: number[] = [];
  let records = 0;
  return {
    field,
    change,
    look: (record) => {
      if (!suffers(record)) return;
      records += 1;
      if (ids.length < MAX_EXAMPLES) ids.push(record.id);
    },
    count: () => records,
    examples: () => ids,
  };
}

/**
 * {@link counting}, with the records of which only the working copy suffers.
 *
 * @param concerns whether a working copy suffers
 */
function countingCopies(field: string, change: LossyChange['change'], suffers: Suffers, concerns = suffers): Check {
  const live = counting(field, change, suffers);
  const copied = counting(field, change, (record) => !suffers(record));
  return {
    ...live,
    concerns,
    lookBehind: (record) => {
      copied.look(record);
    },
    count: () => live.count() + copied.count(),
    copies: () => copied.count(),
    examples: () => [...live.examples(), ...copied.examples()].slice(0, MAX_EXAMPLES),
  };
}

const has =
  (id: string): Suffers =>
  ({ values }) =>
    (values[id] ?? null) !== null;

function keptChecks(field: KeptField): Check[] {
  const { before, after } = field;
  const checks: Check[] = [];
  if (!isSameShape(field)) checks.push(countingCopies(after.name, 'kind', has(before.id)));
  else if (mayNarrow(field)) checks.push(narrowed(field));
  if (after.required && !before.required && after.default === undefined) {
    checks.push(counting(after.name, 'required', (record) => !has(before.id)(record)));
  }
  if (after.unique && !before.unique) checks.push(repeated(field));
  return checks;
}

/** All records that are there lack a value; where new ones get one by default, nothing has to be sent. */
function addedChecks({ draft }: AddedField, most: number): Check[] {
  if (!draft.required || draft.default !== undefined) return [];
  const check = counting(draft.name, 'required', () => true);
  return [{ ...check, isKnown: most > 0, count: () => Math.max(most, check.count()) }];
}

/** A working copy may hold what did not fit before either: it lost nothing. */
function narrowed({ before, after }: KeptField): Check {
  const [fits, fitted] = [fitting(before.id, after), fitting(before.id, before)];
  const suffers: Suffers = (contents) => !fits(contents);
  return countingCopies(after.name, 'narrowed', suffers, (copy) => suffers(copy) && fitted(copy));
}

/** Tells whether a field has no value, or one by the rules. */
function fitting(id: string, rules: Field): Suffers {
  const validate = compile(kindOf(rules.type).schema(rules));
  return ({ values }) => (values[id] ?? null) === null || validate(values[id]).length === 0;
}

function isSameShape({ before, after }: KeptField): boolean {
  const isSameNumber = (before.many === true) === (after.many === true);
  const hasSameItems = before.of === after.of || (before.of && after.of && isCompatibleKind(before.of, after.of));
  return isSameNumber && hasSameItems === true && isCompatibleKind(before.type, after.type);
}

function repeated({ before, after }: KeptField): Check {
  const values = new RepeatedValues();
  return {
    field: after.name,
    change: 'unique',
    look: (record) => {
      const value = record.values[before.id] ?? null;
      if (!record.isTrashed && value !== null) values.look(uniqueKey(after, value), record.id);
    },
    count: () => values.records,
    examples: () => values.examples,
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

function changeOf({ field, change, ...check }: Check): Found {
  const ids = check.examples?.() ?? [];
  const copies = check.copies?.() ?? 0;
  return { field, change, records: check.count(), copies, ...(ids.length > 0 ? { ids } : {}) };
}

function refuseKinds(found: readonly Found[], { kept }: TypeChanges): void {
  const faults = found
    .filter(({ change }) => change === 'kind')
    .map(({ field, ...seen }): Fault => {
      const at = kept.find(({ after }) => after.name === field)?.position ?? 0;
      const message = `${field} has a value in ${recordsOf(seen)} and cannot change its kind. Add a new field instead.`;
      return { field: `fields.${at}.type`, rule: 'kind', message };
    });
  if (faults.length > 0) throw new ValidationError(faults);
}

/** The refusal of changes that concern records. Values that repeat have to be mended first; the rest can be confirmed. */
export function typeInUse(name: string, found: readonly (LossyChange & Partial<Found>)[]): DomainError {
  const list = found.map((one) => `${one.field} (${one.change}): ${recordsOf(one)}${named(one)}`).join(', ');
  return new DomainError('type_in_use', `The change concerns records: ${list}. ${adviceFor(name, found)}`, {
    details: found.map(({ copies: _, ...change }): LossyChange => change),
  });
}

/** `3 records`, and where they have what is concerned */
function recordsOf({ records, copies = 0 }: Pick<LossyChange & Partial<Found>, 'records' | 'copies'>): string {
  if (copies === 0) return counted(records, 'record');
  const some = copies === records ? 'only' : `${copies} of them only`;
  return `${counted(records, 'record')} (${some} in working copies)`;
}

/** `' (12, 57, …)'`, of records that concern each other. */
function named({ change, records, ids = [] }: LossyChange): string {
  return change !== 'unique' || ids.length === 0
    ? ''
    : ` (${[...ids, ...(ids.length < records ? ['…'] : [])].join(', ')})`;
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
