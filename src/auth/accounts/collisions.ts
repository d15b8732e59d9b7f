import { isUniqueViolation } from '../../database/database-error.js';

/** Two first sign-ins of one person, in whatever ways, run into each other once at most: then the account is there. */
const MAX_TRIES = 3;

/** Runs a unit of work that may add an account, and runs it again where somebody else has added that one meanwhile. */
export async function againAfterCollision<Result>(unit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await unit();
    } catch (error) {
      if (tries === MAX_TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}
