import { DomainError, ValidationError } from '../common/errors/domain-error.js';

export function userNotFound(id: string | number): DomainError {
  return new DomainError('user_not_found', `User not found: ${id}.`);
}

export function emailTaken(cause: unknown): DomainError {
  return new DomainError('email_taken', 'Another user has this e-mail address already.', { cause });
}

export function lastAdmin(): DomainError {
  return new DomainError(
    'last_admin',
    'This is the last admin who can act, by a password, a proved address or an identity. Make another user an admin ' +
      'first, and have them sign in.',
  );
}

/** By another way the present password would not be asked for. */
export function ownPassword(): ValidationError {
  const message =
    'Your own password is changed at POST /api/auth/password/change, or by a mail of POST /api/auth/password/forgot.';
  return new ValidationError([{ field: 'password', rule: 'own', message }]);
}

/** It was found by {@link PwnedPasswords}. */
export function pwnedPassword(): ValidationError {
  const message = 'password is known from leaks of other services. Choose another one, also wherever else you use it.';
  return new ValidationError([{ field: 'password', rule: 'pwned', message }]);
}

/** More scopes for an account with credentials of unknown origin. */
export function unprovenGrowth(): ValidationError {
  const message =
    'The address of this user is not proved, and a password, an identity, a session or an API token opens the account already. ' +
    'Invite them with POST /api/auth/invitations: that takes all of it away, and mails a link.';
  return new ValidationError([{ field: 'role', rule: 'unproven', message }]);
}

/** More scopes for an account with a password that others know. */
export function givenPasswordGrowth(): ValidationError {
  const message =
    'The password of this user was set by another user, or an identity was linked while it was such a one. Have them set ' +
    'one by a mail of POST /api/auth/password/forgot; or, where no identity was linked since, send a new password or null ' +
    'together with the role.';
  return new ValidationError([{ field: 'role', rule: 'given_password', message }]);
}

export function invalidEmail(): ValidationError {
  const message = 'email must be an e-mail address such as ann@example.com.';
  return new ValidationError([{ field: 'email', rule: 'email', message }]);
}
