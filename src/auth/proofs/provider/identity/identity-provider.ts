import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { EmailAddress } from '../../../../common/text/email-address.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { providerTitleFirst } from '../../../methods/sign-in-methods.js';
import type { DirectoryRole } from './directory-roles.js';

/** A session that a request has shown. */
export interface PresentedSession {
  readonly id: string;
  /**
   * The time of sign-in of the access token that was shown, milliseconds since 1970, UTC; `null`: the session was shown
   * by its refresh token.
   */
  readonly authTime: number | null;
}

/** By how much the clock of a provider may differ from ours, seconds. */
export const CLOCK_TOLERANCE = 30;

/** A user according to a provider. */
export interface ProviderIdentity {
  readonly provider: ProviderName;
  /** The `sub`: the one thing about an account there that never changes. */
  readonly subject: string;
  /** `null`: the provider gives none, or none that we send mail to. */
  readonly email: EmailAddress | null;
  readonly isEmailVerified: boolean;
  /**
   * True if the provider runs the mailbox, or the operator vouches for its addresses: only then the address proves and
   * links an account.
   */
  readonly isEmailAuthoritative: boolean;
  /** True if the word is that of the operator's own provider, or about a domain of theirs: it links accounts of any role. */
  readonly isOfOperator: boolean;
  readonly name: string | null;
  /** Facts of the directory behind the provider; `null`: roles are given here. */
  readonly directory: DirectoryRole | null;
  /** The session at the provider, by which it can end ours; `null`: it named none. */
  readonly sessionId: string | null;
  /** Time at which the user last showed the provider who they are, milliseconds since 1970, UTC; `null`: it does not say. */
  readonly authTime: number | null;
  /** Time at which the provider said so, milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  /** Identifies this proof, so that it is accepted once. */
  readonly proof: string;
  /** Time at which the proof ends by itself, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Notice that a session at a provider is over, or all of a person. */
export interface ProviderLogout {
  readonly provider: ProviderName;
  /** `null`: the session is named instead. */
  readonly subject: string | null;
  readonly sessionId: string | null;
  /** Time at which the provider said so, milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  /** Identifies this logout token, so that it is accepted once. */
  readonly proof: string;
  /** Until when it would be believed, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A proof for which the account is not yet found. */
export interface ProviderProof {
  readonly identity: ProviderIdentity;
  /** The session of the user who is signed in and asks for the link; `null`: there is none. */
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

/** Whatever a library has thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
