import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { EmailAddress } from '../../../../common/text/email-address.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { providerTitleFirst } from '../../../methods/sign-in-methods.js';
import type { DirectoryRole } from './directory-roles.js';

export interface PresentedSession {
  readonly id: string;
  /** Time of sign-in of the access token, milliseconds since 1970, UTC; `null`: the session was shown by its refresh token. */
  readonly authTime: number | null;
}

/** By how much the clock of a provider may differ from ours, seconds. */
export const CLOCK_TOLERANCE = 30;

export interface ProviderIdentity {
  readonly provider: ProviderName;
  /** The `sub`. */
  readonly subject: string;
  /** `null`: the provider gives none, or none that we send mail to. */
  readonly email: EmailAddress | null;
  readonly isEmailVerified: boolean;
  /** True if the provider runs the mailbox, or the operator vouches for it: only then the address proves and links an account. */
  readonly isEmailAuthoritative: boolean;
  /** True if the word is that of the operator's own provider, or about a domain of theirs: it links accounts of any role. */
  readonly isOfOperator: boolean;
  readonly name: string | null;
  /** `null`: roles are given here. */
  readonly directory: DirectoryRole | null;
  /** The session at the provider; `null`: it named none. */
  readonly sessionId: string | null;
  /** Time of the last sign-in there, milliseconds since 1970, UTC; `null`: it does not say. */
  readonly authTime: number | null;
  /** Milliseconds since 1970, UTC, as is {@link expiresAt}. */
  readonly issuedAt: number;
  /** Identifies this proof, so that it is accepted once. */
  readonly proof: string;
  readonly expiresAt: number;
}

/** Notice that a session at a provider is over, or all of a person. */
export interface ProviderLogout extends Pick<
  ProviderIdentity,
  'provider' | 'sessionId' | 'issuedAt' | 'proof' | 'expiresAt'
> {
  /** `null`: the session is named instead. */
  readonly subject: string | null;
}

export interface ProviderProof {
  readonly identity: ProviderIdentity;
  /** `null`: there is none that asks for the link. */
  readonly session: PresentedSession | null;
  readonly visitor: Visitor;
}

export function invalidState(cause?: unknown): DomainError {
  const message = 'This sign-in was not begun in this browser, is over, or has expired. Begin it again.';
  return new DomainError('invalid_state', message, { cause });
}

export function invalidIdToken(cause?: unknown): DomainError {
  const message = 'The id_token does not prove who you are: it is wrong, used, expired or for another client.';
  return new DomainError('invalid_id_token', message, { cause });
}

export function providerUnavailable(cause?: unknown): DomainError {
  const message = 'The identity provider does not answer as it should. Try again in a moment.';
  return new DomainError('provider_unavailable', message, { cause });
}

export function providerNotConfigured(provider: ProviderName): DomainError {
  return new DomainError('provider_not_configured', `${providerTitleFirst(provider)} is not set up at this service.`);
}

export function providerEmailUnverified(): DomainError {
  const message = 'The provider has not verified your e-mail address. Verify it there, then sign in again.';
  return new DomainError('provider_email_unverified', message);
}

export function identityNotFound(id: string | number): DomainError {
  return new DomainError('identity_not_found', `Identity not found: ${id}.`);
}

export function invalidLogoutToken(cause?: unknown): DomainError {
  const message = 'The logout_token is wrong, used, expired or for another client.';
  return new DomainError('invalid_logout_token', message, { cause });
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
