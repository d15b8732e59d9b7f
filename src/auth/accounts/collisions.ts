import { isUniqueViolation } from '../../database/database-error.js';

/** Two requests that add the account of one address collide once at most: then the account is there. */
const MAX_TRIES = 3;

/** Runs a unit of work that may add an account, and runs it again where another request has added that one meanwhile. */
export async function againAfterCollision<Result>(unit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await unit();
    } catch (error) {
      if (tries === MAX_TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}
