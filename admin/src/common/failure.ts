import { CmsError } from '@content-service/client';
import { words } from '../words.js';

/** Stands for the answer that did not come when code was asked for. */
export const UNREACHABLE = new CmsError({ status: 0, code: 'unreachable', message: '' });

/** Says in one sentence what a person can do about a failure. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof CmsError)) return words.editor.failed;
  return words.failed[error.code] ?? error.message;
}

/** The id of a failed request in the log of the service; `null`: it never arrived. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof CmsError ? error.requestId : null;
}

/** Tells whether nothing is wrong with a request, and it may do when it is sent again. */
export function isPassing(error: unknown): boolean {
  return error instanceof CmsError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Tells whether a request lacks a session, and may do after a sign-in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CmsError && error.status === 401;
}

/** Tells whether a request was meant for a version that is no longer the newest. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof CmsError && error.status === 412;
}
