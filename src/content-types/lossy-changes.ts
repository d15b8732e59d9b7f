import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { counted } from '../common/counted.js';
import { DomainError, ValidationError, type Fault } from '../common/errors/domain-error.js';
import type { TypeDefinition } from './content-type.js';
import { isCompatibleKind } from './field-rules.js';
import { valueSchema } from './field-schema.js';
import { mayNarrow, type AddedField, type KeptField, type TypeChanges } from './type-changes.js';
import type { StoredValues, TypeUsage } from './type-usage.port.js';
import { compile } from '../common/schema/validator.js';

/** A change of a field that records would suffer from. */
interface LossyChange {
  readonly field: string;
  readonly change: 'removed' | 'kind' | 'required' | 'narrowed' | 'unique';
  /** How many records. */
  readonly records: number;
}

/** Looks at every record for one change. */
interface Check {
  readonly field: string;
  readonly change: LossyChange['change'];
  readonly look: (record: StoredValues) => void;
  readonly count: () => number;
}

type Test = (value: unknown, record: StoredValues) => boolean;

function counting(field: string, change: LossyChange['change'], id: string, suffers: Test): Check {
  let records = 0;
  return {
    field,
    change,
    look: (record) => {
      if (suffers(record.values[id] ?? null, record)) records += 1;
    },
    count: () => records,
  };
}

const isThere: Test = (value) => value !== null;

function duplicates({ before, after }: KeptField): Check {
  const seen = new Map<string, number>();
  return {
    field: after.name,
    change: 'unique',
    look: ({ values, isTrashed }) => {
      const value = values[before.id] ?? null;
      if (isTrashed || value === null) return;
      const key = createHash('sha256').update(JSON.stringify(value)).digest('base64');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    },
    count: () => [...seen.values()].filter((n) => n > 1).reduce((sum, n) => sum + n, 0),
  };
}

function narrowed({ before, after }: KeptField): Check {
  const validate = compile(valueSchema(after));
  return counting(after.name, 'narrowed', before.id, (value) => value !== null && validate(value).length > 0);
}

function isSameShape({ before, after }: KeptField): boolean {
  const isSameNumber = (before.many === true) === (after.many === true);
  const hasSameItems = before.of === after.of || (before.of && after.of && isCompatibleKind(before.of, after.of));
  return isSameNumber && hasSameItems === true && isCompatibleKind(before.type, after.type);
}

function checksOf(field: KeptField): Check[] {
  const { before, after } = field;
  const checks: Check[] = [];
  if (!isSameShape(field)) checks.push(counting(after.name, 'kind', before.id, isThere));
  else if (mayNarrow(field)) checks.push(narrowed(field));
  if (after.required && !before.required)
    checks.push(counting(after.name, 'required', before.id, (value) => value === null));
  if (after.unique && !before.unique) checks.push(duplicates(field));
  return checks;
}

function addedChecks({ draft }: AddedField): Check[] {
  return draft.required ? [counting(draft.name, 'required', '', (value) => value === null)] : [];
}

/**
 * Refuses changes that records would suffer from. Runs while the type is locked, so no record changes meanwhile.
 *
 * @param confirmed whether the client has said that loss is meant
 * @throws {DomainError} `type_in_use` with the number of records; {ValidationError} values cannot change their kind
 */
export async function requireLossless(
  manager: EntityManager,
  usage: TypeUsage,
  { id, name }: Pick<TypeDefinition, 'id' | 'name'>,
  changes: TypeChanges,
  confirmed: boolean,
): Promise<void> {
  const checks = [
    ...changes.removed.map((field) => counting(field.name, 'removed', field.id, isThere)),
    ...changes.kept.flatMap(checksOf),
    ...changes.added.flatMap(addedChecks),
  ];
  if (checks.length > 0) await scan(manager, usage, id, checks);
  const found = checks
    .map(({ field, change, count }): LossyChange => ({ field, change, records: count() }))
    .filter(({ records }) => records > 0);
  refuseKinds(found, changes);
  const lossy = confirmed ? found.filter(({ change }) => change === 'unique') : found;
  if (lossy.length > 0) throw typeInUse(name, lossy);
}

async function scan(manager: EntityManager, usage: TypeUsage, typeId: number, checks: readonly Check[]): Promise<void> {
  let last = 0;
  for (;;) {
    const records = await usage.batch(manager, typeId, last);
    for (const record of records) for (const check of checks) check.look(record);
    const next = records.at(-1)?.id;
    if (next === undefined) return;
    last = next;
  }
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
  const isFinal = changes.some(({ change }) => change === 'unique');
  const list = changes
    .map(({ field, change, records }) => `${field} (${change}): ${counted(records, 'record')}`)
    .join(', ');
  const advice = isFinal
    ? 'Values that repeat have to be changed before a field can be unique.'
    : `Add ?confirm=${name} if that is meant.`;
  return new DomainError('type_in_use', `The change concerns records: ${list}. ${advice}`, { details: changes });
}
