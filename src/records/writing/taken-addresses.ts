import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { sharesAddresses } from '../../content-types/definition/addresses.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import { select } from '../../database/statements/statement.js';
import type { RecordState } from './record-state.js';
import { LostRaceError } from './record-writer.js';

export function isSlugTaken(error: unknown): boolean {
  return error instanceof DomainError && error.error === 'slug_taken';
}

/** The address was taken after the look at it: the next try gives way. */
export function addressLost(error: unknown): never {
  throw isSlugTaken(error) ? new LostRaceError() : error;
}

/** Runs a write. @throws {DomainError} `slug_taken`: the unique index refuses the slug */
export async function orSlugTaken<Result>(
  { name }: CompiledType,
  { slug }: RecordState,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw new DomainError('slug_taken', `Another ${name} has the slug "${slug}". Choose another one.`, { cause });
  }
}

/**
 * Sees to it that no record of the type has the address which a record has just got. The unique index distinguishes
 * locales, so it does not see what a type does not distinguish in its addresses. Two units that write one address at the
 * same time wait for each other's row here, and the one that the server ends runs again.
 *
 * @param address with the id of the record, where it has one already
 * @param lock ends the statement: what other units have written and not committed counts, too
 * @throws {DomainError} `slug_taken`
 */
export async function requireOwnAddress(
  manager: EntityManager,
  type: CompiledType,
  { id = 0, slug, locale }: Pick<RecordState, 'slug' | 'locale'> & { readonly id?: number },
  lock: string,
): Promise<void> {
  if (!sharesAddresses(type)) return;
  // The version stands in no index: a server that reads an index alone locks that alone, and not the record.
  const [other] = await select<{ locale: string }>(
    manager,
    `SELECT locale, version FROM records WHERE type_id = ? AND slug = ? AND locale <> ? AND id <> ?${lock}`,
    [type.id, slug, locale, id],
  );
  if (other) throw addressTaken(type, slug, other.locale);
}

/** Which record is to have which address. Its own row may still have the earlier one, where another write came first. */
export function addressOf({
  row: { id },
  state: { slug, locale },
}: {
  readonly row: { readonly id: number };
  readonly state: Pick<RecordState, 'slug' | 'locale'>;
}): { id: number; slug: string; locale: string } {
  return { id, slug, locale };
}

function addressTaken({ name }: CompiledType, slug: string, locale: string): DomainError {
  const message =
    `The ${name} "${slug}" in the locale ${locale} has that address. ` +
    'Choose another slug, or have {locale} in the url_path of the type.';
  return new DomainError('slug_taken', message);
}
