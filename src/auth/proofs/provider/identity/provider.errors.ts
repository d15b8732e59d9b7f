import { DomainError } from '../../../../common/errors/domain-error.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { providerTitleFirst } from '../../../methods/sign-in-methods.js';

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
