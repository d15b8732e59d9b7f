import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { sharesAddresses } from '../../content-types/definition/addresses.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { select } from '../../database/statement.js';
import type { RecordState } from './record-state.js';

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
