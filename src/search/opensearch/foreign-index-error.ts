import { DomainError } from '../../common/errors/domain-error.js';
import type { Generation } from './plan.js';

/** The index of `SEARCH_URL` has the documents of another database. It is neither fed nor removed. */
export class ForeignIndexError extends DomainError {
  constructor({ name, database }: Pick<Generation, 'name' | 'database'>) {
    super(
      'search_unavailable',
      `The index ${name} belongs to another database (${database ?? 'unknown'}). Give this one a name of its own in SEARCH_URL; or, if the other one is not used any more, run: npm run cli -- search rebuild --take-over.`,
    );
  }
}
