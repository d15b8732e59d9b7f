import { createParamDecorator, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError, ValidationError } from '../../../../common/errors/domain-error.js';
import { type ServiceRequest, pathOf } from '../../../../common/http/request-context.js';
import { invalidQuery, requireKnown } from '../../../../common/http/url-query.js';
import { EndpointOfPaths, type NamedEndpoint } from '../../../../common/openapi/endpoint.js';
import { PROVIDER_NAMES, type ProviderName } from '../../../../config/provider-settings.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../../../exchange/exchange-codes.js';
import type { RedirectTargets } from '../../../exchange/redirect-targets.js';
import { newSecret } from '../../../secrets/secrets.js';
import type { ProviderIdentity, PresentedSession } from '../identity/identity-provider.js';

export interface FlowStart {
  /** Address that the browser goes to in the end; `null`: it gets the answer itself. */
  readonly redirectTo: string | null;
  /** PKCE of the client that will exchange the one-time code. @see RFC 7636 */
  readonly codeChallenge: string | null;
  /** Greatest age of the sign-in at the provider, seconds; `null`: a session that goes on there is enough. */
  readonly maxAge: number | null;
  /** Comes back inside the id_token. */
  readonly nonce: string;
  /** The session that gets another identity; `null`: the visitor is not signed in. */
  readonly session: PresentedSession | null;
  /** Device that the browser shows at the beginning, unchecked: its cookie does not come back from another site. */
  readonly device: string | null;
}

/** All that a browser keeps, sealed, while it is at the provider. */
export interface Flow extends FlowStart {
  readonly state: string;
  /** Our own PKCE towards the provider. */
  readonly verifier: string;
}

/** The return of a browser from the provider. */
export interface FlowOutcome {
  /** The user, or the reason why they are unknown. */
  readonly result: ProviderIdentity | Error;
  /** Flow that was begun in this browser, as soon as the answer is sure to belong to it. */
  readonly flow: Flow | null;
  /** Address at which the browser can begin a failed sign-in again, relative to the callback; `null`: that was none. */
  readonly again: string | null;
}

/** `callback` -> `['google/callback', 'apple/callback', 'oidc/callback']` */
export function ofEveryProvider(step: string): string[] {
  return PROVIDER_NAMES.map((name) => `${name}/${step}`);
}

/** Describes a handler of {@link ofEveryProvider}, whose names in clients have the `title` of each: `Google`. */
export function DescribedForEach(describe: (name: ProviderName, title: string) => NamedEndpoint): CustomDecorator {
  return EndpointOfPaths((path) => {
    const name = providerOf({ originalUrl: path });
    return describe(name, name.charAt(0).toUpperCase() + name.slice(1));
  });
}

/** `/api/auth/google/callback` -> `google` */
function providerOf({ originalUrl }: Pick<ServiceRequest, 'originalUrl'>): ProviderName {
  const segments = pathOf(originalUrl).split('/');
  const name = PROVIDER_NAMES.find((one) => segments[3] === one);
  if (!name) throw new DomainError('not_found', 'There is nothing at this address.');
  return name;
}

export const CurrentProvider = createParamDecorator((_: unknown, context: ExecutionContext): ProviderName =>
  providerOf(context.switchToHttp().getRequest<ServiceRequest>()),
);

const MAX_LENGTH = 2_048;
const PARAMETERS = ['redirect_to', 'code_challenge', 'max_age', 'as'];
const SECONDS = /^\d{1,5}$/;
const DAY = 86_400;

export type Returned = Readonly<Record<'code' | 'state' | 'error' | 'issuer' | 'user', string | null>>;

/**
 * Reads the query with which a sign-in is begun; `isLink`: the identity is to be linked to the user of the refresh cookie.
 *
 * @throws {DomainError} `invalid_query`
 */
export function flowBeginning(query: URLSearchParams, targets: RedirectTargets) {
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

/** The one-time address of a link; `null`: none. @throws {DomainError} `invalid_query`: no other parameter may be there */
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

/** Parameters of a provider, which adds what it likes. @throws {DomainError} `invalid_query`: they are none of a provider */
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
 * Address for a browser that Apple has sent with a form: the same address with GET, which has our cookie.
 *
 * @throws {ValidationError} a field is no text, was sent twice or is too long
 */
export function callbackAddress(form: unknown): string {
  const fields = typeof form === 'object' && form !== null ? new Map<string, unknown>(Object.entries(form)) : new Map();
  const sent = APPLE_FIELDS.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)] as const);
  const faults = sent
    .filter(([, value]) => typeof value !== 'string' || value.length > MAX_LENGTH)
    .map(([field]) => ({
      field,
      rule: 'string',
      message: `${field} must be one text of at most ${MAX_LENGTH} characters.`,
    }));
  if (faults.length > 0) throw new ValidationError(faults);
  return `/api/auth/apple/callback?${new URLSearchParams(Object.fromEntries(sent) as Record<string, string>).toString()}`;
}
