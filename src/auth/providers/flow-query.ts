import { Injectable } from '@nestjs/common';
import { invalidQuery, requireKnown } from '../../common/http/url-query.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../exchange/pkce.js';
import { RedirectTargets } from '../exchange/redirect-targets.js';
import { newSecret } from '../secrets.js';
import type { FlowStart } from './flow.js';

const MAX_LENGTH = 2_048;
const WISHES = ['redirect_to', 'code_challenge'];

/** What a browser brings back from the provider. */
export interface Returned {
  readonly code: string | null;
  readonly state: string | null;
  readonly error: string | null;
  readonly issuer: string | null;
  /** JSON, from Apple. */
  readonly user: string | null;
}

/** Reads the query with which a sign-in is begun. */
@Injectable()
export class FlowQuery {
  constructor(private readonly targets: RedirectTargets) {}

  /** @throws {DomainError} `invalid_query` */
  start(query: URLSearchParams): Omit<FlowStart, 'session'> {
    requireKnown(query, (name) => WISHES.includes(name));
    const [redirectTo, codeChallenge] = WISHES.map((name) => query.get(name)) as [string | null, string | null];
    if (codeChallenge !== null && !CODE_CHALLENGE.test(codeChallenge)) {
      throw invalidQuery('code_challenge', 'sha256', CODE_CHALLENGE_RULE);
    }
    if (codeChallenge !== null && redirectTo === null) {
      throw invalidQuery('redirect_to', 'required', 'code_challenge needs redirect_to: only there a code arrives.');
    }
    return {
      redirectTo: redirectTo === null ? null : this.targets.require(redirectTo),
      codeChallenge,
      nonce: newSecret(),
    };
  }
}

/**
 * Providers add what they like, so only what is needed is looked at.
 *
 * @throws {DomainError} `invalid_query`: the answer is none of a provider
 */
export function returned(query: URLSearchParams): Returned {
  const error = single(query, 'error');
  const [code, state] = [single(query, 'code'), single(query, 'state')];
  if (error === null && code === null) throw missing('code');
  if (error === null && state === null) throw missing('state');
  return { code, state, error, issuer: single(query, 'iss'), user: single(query, 'user') };
}

function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidQuery(name, 'repeated', `The query parameter ${name} is sent more than once.`);
  const [value = ''] = values;
  if (value.length > MAX_LENGTH) throw invalidQuery(name, 'max_length', `${name} is longer than ${MAX_LENGTH}.`);
  return value === '' ? null : value;
}

function missing(name: string): Error {
  return invalidQuery(name, 'required', `${name} is missing. Begin the sign-in again.`);
}
