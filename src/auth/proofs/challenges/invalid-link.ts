import { DomainError } from '../../../common/errors/domain-error.js';
import type { LinkPurpose } from './links.js';

/** How another link is got. */
const NEXT: Readonly<Record<LinkPurpose, string>> = {
  sign_in: 'Ask for a new link on the sign-in page.',
  password_reset: 'Ask for a new link with “forgotten password” on the sign-in page.',
  invitation: 'Ask the person who invited you for a new one.',
  lock_down: 'If your account is still at risk, sign in and lock it down there, or ask an administrator.',
};

/** One refusal for a link that is unknown, used, replaced or over. */
export function invalidLink(): DomainError {
  return new DomainError('invalid_link', 'The link is invalid, was used before or has expired. Ask for another one.');
}

/** The same where a link is only looked at, with what to do instead. */
export function linkOver(purpose: LinkPurpose): DomainError {
  return new DomainError(
    'link_over',
    `This link was used before, was replaced by a newer one, or has expired. ${NEXT[purpose]}`,
  );
}
