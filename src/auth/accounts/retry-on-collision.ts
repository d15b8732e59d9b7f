import { isUniqueViolation } from '../../database/dialect/database-error.js';

/** Two requests that add the account of one address collide once at most: the second try finds the account. */
const MAX_TRIES = 3;

/** Runs a unit of work that may add an account, and runs it again where another request has added that one meanwhile. */
export async function retryOnCollision<Result>(unit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await unit();
    } catch (error) {
      if (tries === MAX_TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}
