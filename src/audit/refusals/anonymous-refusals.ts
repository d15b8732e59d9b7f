import { clientNetworks } from '../../common/http/request-context.js';
import type { AuditEvent } from '../audit-event.js';
import { RefusalSums, type RefusalSum } from './refusal-sums.js';

/** Refusals of a good proof, which are about an account or an address although the event does not say which. */
const ABOUT_ACCOUNTS: ReadonlySet<string | undefined> = new Set([
  'account_disabled',
  'account_link_required',
  'identity_taken',
  'provider_email_unverified',
  'role_not_granted',
  'signup_closed',
]);

/** What belongs to no account, like an unknown link. */
type Anonymous = Pick<AuditEvent, 'event' | 'provider' | 'reason' | 'visitor'>;

/**
 * Sums up refusals that are about no account, by network, event and reason: each request of a flood of junk would be a
 * row that is kept for a year. A /48 of version 6 is one network here, as it has 65,536 of /64.
 */
export class AnonymousRefusals {
  private readonly sums = new RefusalSums<Anonymous>({ event: 'request.refused', reason: 'flood' });

  /** @returns whether the event is counted here; otherwise it is to be noted as it is, as the first one of its kind is */
  counts(event: AuditEvent): boolean {
    if (!isAnonymous(event)) return false;
    const { event: name, provider, reason, visitor } = event;
    const network = clientNetworks(visitor?.ip).at(-1)?.key;
    const key = [network, name, provider, reason].join('\n');
    return !this.sums.add(
      key,
      { event: name, visitor, ...(provider && { provider }), ...(reason && { reason }) },
      name,
    );
  }

  /** One event for each network, event and reason that was counted since this was last asked. */
  take(): AuditEvent[] {
    return this.sums.take().map(eventOf);
  }
}

/** `request.refused` is a sum itself. */
function isAnonymous({ event, outcome, visitor, reason, ...about }: AuditEvent): boolean {
  if (outcome !== 'failure' || !visitor || event === 'request.refused' || ABOUT_ACCOUNTS.has(reason)) return false;
  const { actor, userId, sessionId, email, typedEmail } = about;
  return [actor, userId, sessionId, email, typedEmail].every((one) => one === undefined || one === null);
}

/** Of networks beyond the limit only the number and the names of the events are known. */
function eventOf({ caller, requests, routes }: RefusalSum<Anonymous>): AuditEvent {
  return { ...caller, outcome: 'failure', details: { requests, ...(!caller.visitor && { events: routes }) } };
}
