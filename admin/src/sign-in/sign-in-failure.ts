import { CmsError } from '@content-service/client';
import { sentenceOf } from '../common/failure.js';
import { waitText } from '../common/time.js';
import { words } from '../words.js';

const { failed, tooMany } = words.signIn;

/** Says in one sentence why a sign-in failed, and what to do; it gives away nothing of accounts. */
export function signInFailure(error: unknown): string {
  if (!(error instanceof CmsError)) return sentenceOf(error);
  if (error.code === 'too_many_requests') {
    // Without a time to wait only a mail helps, and the service says so.
    return error.retryAfter === null ? error.message : tooMany(waitText(error.retryAfter));
  }
  return failed[error.code] ?? sentenceOf(error);
}

/** The same for the name of an error with which a provider leads back. */
export function returnFailure(name: string): string {
  return failed[name] ?? words.signIn.failed.access_denied ?? name;
}
