import { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { isUniqueViolation } from '../../database/database-error.js';
import type { RecordState } from './record-state.js';
import { LostRace } from './record-writer.js';

export function isSlugTaken(error: unknown): boolean {
  return error instanceof DomainError && error.error === 'slug_taken';
}

/** The address was taken after the look at it: the next try gives way. */
export function addressLost(error: unknown): never {
  throw isSlugTaken(error) ? new LostRace() : error;
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
