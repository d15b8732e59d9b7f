import { ValidationError, type Fault } from '../../../../common/errors/domain-error.js';
import { invalidQuery, requireKnown } from '../../../../common/http/url-query.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../../../exchange/exchange-codes.js';
import type { RedirectTargets } from '../../../exchange/redirect-targets.js';
import { newSecret } from '../../../secrets/secrets.js';
import type { FlowStart } from './flow.js';

const MAX_LENGTH = 2_048;
const PARAMETERS = ['redirect_to', 'code_challenge', 'max_age', 'as'];
const SECONDS = /^\d{1,5}$/;
const DAY = 86_400;

/** What a browser brings back from the provider. */
export interface Returned {
  readonly code: string | null;
  readonly state: string | null;
  readonly error: string | null;
  readonly issuer: string | null;
  /** JSON, from Apple. */
  readonly user: string | null;
}

/** What a browser is sent to the provider for. */
interface Beginning extends Omit<FlowStart, 'session' | 'device'> {
  /** Whether the identity is to be linked to the user of the refresh cookie. */
  readonly isLink: boolean;
}

/**
 * Reads the query with which a sign-in is begun.
 *
 * @throws {DomainError} `invalid_query`
 */
export function flowBeginning(query: URLSearchParams, targets: RedirectTargets): Beginning {
  requireKnown(query, PARAMETERS);
  const goal = flowGoal(query.get('redirect_to'), query.get('code_challenge'), targets);
  return { ...goal, maxAge: maxAgeOf(query.get('max_age')), nonce: newSecret(), isLink: isLink(query.get('as')) };
}

/** @throws {DomainError} `invalid_query` */
export function flowGoal(
  redirectTo: string | null,
  codeChallenge: string | null,
  targets: RedirectTargets,
): Pick<FlowStart, 'redirectTo' | 'codeChallenge'> {
  if (codeChallenge !== null && !CODE_CHALLENGE.test(codeChallenge)) {
    throw invalidQuery('code_challenge', 'sha256', CODE_CHALLENGE_RULE);
  }
  if (codeChallenge !== null && redirectTo === null) {
    throw invalidQuery('redirect_to', 'required', 'code_challenge needs redirect_to: only there a code arrives.');
  }
  return { redirectTo: redirectTo === null ? null : targets.require(redirectTo), codeChallenge };
}

/** @throws {DomainError} `invalid_query` */
function maxAgeOf(text: string | null): number | null {
  if (text === null) return null;
  if (SECONDS.test(text) && Number(text) <= DAY) return Number(text);
  throw invalidQuery('max_age', 'range', `max_age is a number of seconds from 0 to ${DAY}.`);
}

/** @throws {DomainError} `invalid_query` */
function isLink(as: string | null): boolean {
  if (as === null || as === 'link') return as === 'link';
  throw invalidQuery('as', 'enum', 'as is "link", or left out for a sign-in.');
}

/**
 * The one-time address of a link that was asked for with an access token; `null`: it is none.
 *
 * @throws {DomainError} `invalid_query`: what it leads to was said when it was asked for
 */
export function linkTicket(query: URLSearchParams): string | null {
  if (!query.has('link')) return null;
  requireKnown(query, ['link']);
  return query.get('link');
}

/** @throws {DomainError} `invalid_query`: it is missing, or not alone */
export function requireLinkTicket(query: URLSearchParams): string {
  const ticket = linkTicket(query);
  if (ticket === null) throw invalidQuery('link', 'required', 'link is missing. Open the whole address again.');
  return ticket;
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

const APPLE_FIELDS = ['code', 'state', 'error', 'user'] as const;

/**
 * Where a browser goes that Apple has sent with a form: the same address, with GET. A form from another site comes
 * without our cookie, and this request of our own site has it.
 *
 * @throws {ValidationError} a field is no text, was sent twice or is too long
 */
export function callbackAddress(form: unknown): string {
  const fields = typeof form === 'object' && form !== null ? new Map<string, unknown>(Object.entries(form)) : new Map();
  const sent = APPLE_FIELDS.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)] as const);
  const faults = sent.flatMap(([name, value]) => (isShortText(value) ? [] : [fault(name)]));
  if (faults.length > 0) throw new ValidationError(faults);
  return `/api/auth/apple/callback?${new URLSearchParams(Object.fromEntries(sent) as Record<string, string>).toString()}`;
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_LENGTH;
}

function fault(field: string): Fault {
  return { field, rule: 'string', message: `${field} must be one text of at most ${MAX_LENGTH} characters.` };
}
