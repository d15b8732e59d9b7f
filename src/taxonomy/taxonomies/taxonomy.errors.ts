import { counted } from '../../common/text/counted.js';
import { DomainError } from '../../common/errors/domain-error.js';

export function taxonomyNotFound(name: string): DomainError {
  return new DomainError('taxonomy_not_found', `There is no taxonomy "${name}".`);
}

export function taxonomyExists(name: string, cause: unknown): DomainError {
  return new DomainError('taxonomy_exists', `There is a taxonomy "${name}" already.`, { cause });
}

export function taxonomyNotEmpty(name: string, terms: number): DomainError {
  return new DomainError(
    'taxonomy_not_empty',
    `The taxonomy ${name} has ${counted(terms, 'term')}. Add ?confirm=${name} to delete them too.`,
    { details: [{ terms }] },
  );
}

export function taxonomyInUse(name: string, types: readonly string[]): DomainError {
  return new DomainError('taxonomy_in_use', `Content types use ${name}: ${types.join(', ')}. Change them first.`, {
    details: types.map((type) => ({ type })),
  });
}

export function taxonomyHasTree(name: string, terms: number): DomainError {
  return new DomainError(
    'taxonomy_in_use',
    `${counted(terms, 'term')} of ${name} stand under another one. Move them to the top first.`,
    { details: [{ terms }] },
  );
}

export function termNotFound(taxonomy: string, reference: string): DomainError {
  return new DomainError('term_not_found', `Term not found: ${taxonomy}/${reference}.`);
}

export function termExists(taxonomy: string, slug: string, cause: unknown): DomainError {
  return new DomainError('term_exists', `The ${taxonomy} "${slug}" already exists.`, { cause });
}

/** @param records as many as the caller may see: there may be more, or only others */
export function termInUse(name: string, records: number): DomainError {
  const users =
    records > 0
      ? `${counted(records, 'record')} ${records === 1 ? 'uses' : 'use'}`
      : 'Records that you may not see use';
  return new DomainError('term_in_use', `${users} "${name}". Add ?force=true to remove it from them.`, {
    details: [{ records }],
  });
}
