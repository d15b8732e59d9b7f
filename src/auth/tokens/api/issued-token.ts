import type { ApiToken } from './rows/api-token.entity.js';

/** A token right after it was made: the only moment at which its text is known. */
export interface IssuedToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}
