import { DomainError } from '../../common/errors/domain-error.js';
import type { ProviderName } from '../../config/provider-settings.js';

/** Whoever was sent to the provider did not want to sign in after all. */
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
  const message = 'The id_token does not prove who you are: it is wrong, used, expired or for somebody else.';
  return new DomainError('invalid_id_token', message, { cause });
}

export function providerUnavailable(cause?: unknown): DomainError {
  const message = 'The identity provider does not answer as it should. Try again in a moment.';
  return new DomainError('provider_unavailable', message, { cause });
}

export function providerNotConfigured(provider: ProviderName): DomainError {
  return new DomainError('provider_not_configured', `Sign-in with ${provider} is not set up here.`);
}

export function providerEmailUnverified(): DomainError {
  const message = 'The provider has not verified your e-mail address. Verify it there, then sign in again.';
  return new DomainError('provider_email_unverified', message);
}

export function accountLinkRequired(): DomainError {
  const message = 'An account has this e-mail address already. Sign in to it in another way first.';
  return new DomainError('account_link_required', message);
}

/** Whatever a library has thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
