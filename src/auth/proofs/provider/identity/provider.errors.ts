import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { providerTitleFirst } from '../../../methods/sign-in-methods.js';

/** The user cancelled the sign-in at the provider. */
export function accessDenied(): DomainError {
  return new DomainError(
    'access_denied',
    'The sign-in was cancelled at the provider. Begin it again to try once more.',
  );
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

/** @param way what the owner of the account signs in with: part of a sentence */
export function accountLinkRequired(way: string): DomainError {
  const message = `An account has this e-mail address already. Sign in with ${way} first, then link the provider to it.`;
  return new DomainError('account_link_required', message);
}

export function identityTaken(): DomainError {
  const message = 'This identity is linked to another account. Sign out, or unlink it there first.';
  return new DomainError('identity_taken', message);
}

/** @param issuer of the tokens, or the gateway, that the account was made for */
export function identityOfIssuer(issuer: string): DomainError {
  const message = `Your account was made for your sign-in at ${issuer}, so only an administrator can unlink it.`;
  return new DomainError('managed_elsewhere', message);
}

export function identityNotFound(id: string | number): DomainError {
  return new DomainError('identity_not_found', `Identity not found: ${id}.`);
}

/** @param others what gives the user another way in: part of a sentence */
export function lastCredential(others: string): DomainError {
  const message = `Nothing else lets you in: ${others} before you unlink this one.`;
  return new DomainError('last_credential', message);
}

export function invalidLogoutToken(cause?: unknown): DomainError {
  const message = 'The logout_token is wrong, used, expired or for another client.';
  return new DomainError('invalid_logout_token', message, { cause });
}

/** Whatever a library has thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
