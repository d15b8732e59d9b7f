import { DomainError, ValidationError } from '../common/errors/domain-error.js';
import type { AuthMethod } from '../config/sign-in-settings.js';

export function userNotFound(id: string | number): DomainError {
  return new DomainError('user_not_found', `User not found: ${id}.`);
}

export function emailTaken(cause: unknown): DomainError {
  return new DomainError('email_taken', 'Another user has this e-mail address already.', { cause });
}

export function lastAdmin(): DomainError {
  const message = 'This is the last admin who can sign in. First make another user an admin, and let them sign in.';
  return new DomainError('last_admin', message);
}

/** @param methods those of `AUTH_METHODS` */
export function ownPassword(methods: ReadonlySet<AuthMethod>): ValidationError {
  const message = methods.has('password')
    ? 'Your own password is changed at POST /api/auth/password/change, or by a mail of POST /api/auth/password/forgot.'
    : 'Your own password is not changed here, and signing in by password is switched off.';
  return new ValidationError([{ field: 'password', rule: 'own', message }]);
}

export function pwnedPassword(): ValidationError {
  const message = 'password is known from leaks of other services. Choose another one, also wherever else you use it.';
  return new ValidationError([{ field: 'password', rule: 'pwned', message }]);
}

/** More scopes, or the word of an administrator, for an account with credentials of unknown origin. */
export function unprovenGrowth(field: 'role' | 'verified'): ValidationError {
  const message =
    'The address of this user is not proved, and a password, an identity, a session or an API token opens the account already. ' +
    'Invite them with POST /api/auth/invitations: that takes all of it away, and mails a link.';
  return new ValidationError([{ field, rule: 'unproven', message }]);
}

/** More scopes for an account with a password that others know. @param methods those of `AUTH_METHODS` */
export function givenPasswordGrowth(methods: ReadonlySet<AuthMethod>): ValidationError {
  const hasPasswords = methods.has('password');
  const own = hasPasswords
    ? 'set one by a mail of POST /api/auth/password/forgot'
    : 'lock the account down at POST /api/auth/security/lock-down, which takes it away';
  const message =
    `The password of this user was set by another user or token without all scopes, or an identity was linked while it was such a one. Have them ${own}; ` +
    `or, if no identity was linked since, send ${hasPasswords ? 'a new password or null' : 'the password null'} ` +
    'together with the role.';
  return new ValidationError([{ field: 'role', rule: 'given_password', message }]);
}
