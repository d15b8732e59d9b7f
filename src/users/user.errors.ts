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
    'This is the last admin who can act. Make another user an admin first, so that somebody can manage the service.',
  );
}

export function invalidEmail(): ValidationError {
  const message = 'email must be an e-mail address such as ann@example.com.';
  return new ValidationError([{ field: 'email', rule: 'email', message }]);
}
