import { DomainError } from '../../common/errors/domain-error.js';

/** The refusal of a try that has to wait. */
export function tooManyTries(seconds: number): DomainError {
  return refusal(`Too many tries. Try again in ${seconds} s.`, seconds);
}

/** The refusal after so many wrong passwords in a row that waiting is the long way, and a new one the short one. */
export function passwordLocked(tries: number, seconds: number): DomainError {
  return refusal(
    `${tries} wrong passwords in a row. Choose a new one by mail: POST /api/auth/password/forgot.`,
    seconds,
  );
}

/** The refusal after so many wrong codes in a day that only the link of the mail signs in. */
export function codesLocked(seconds: number): DomainError {
  return refusal(`Too many wrong codes in a day. Sign in with the link of the mail.`, seconds);
}

function refusal(sentence: string, seconds: number): DomainError {
  return new DomainError('too_many_requests', sentence, {
    headers: { 'Retry-After': String(seconds) },
    extensions: { retry_after: seconds },
  });
}
