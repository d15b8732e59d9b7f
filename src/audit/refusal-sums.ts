import { callerKey } from '../common/access/caller.js';
import { visitorOf } from '../common/access/visitor.js';
import type { DomainError } from '../common/errors/domain-error.js';
import { clientNetwork, clientNetworks, type ServiceRequest } from '../common/http/request-context.js';
import type { AuditEvent } from './audit-event.js';

/** More callers than so many at once are summed up together. */
const MAX_CALLERS = 1_000;
const MAX_NAMES = 10;
/** Refusals of a good proof, which are about an account or an address although the event does not say which. */
const ABOUT_ACCOUNTS: ReadonlySet<string | undefined> = new Set([
  'account_disabled',
  'account_link_required',
  'identity_taken',
  'provider_email_unverified',
  'role_not_granted',
  'signup_closed',
]);
/** Stands for all callers beyond the limit. */
const OTHERS: AuditEvent = { event: 'request.refused', outcome: 'failure', reason: 'flood' };

export interface Refusal {
  readonly key: string;
  readonly event: AuditEvent;
  /** The pattern of a route (`GET /api/users/:id`), or the name of an event. */
  readonly name: string;
}

interface Count {
  /** As of the last refusal. */
  event: AuditEvent;
  requests: number;
  /** The first ten. */
  readonly names: Set<string>;
}

/** Counts refusals by caller, in bounded memory. */
export class RefusalSums {
  private readonly counts = new Map<string, Count>();
  private others = emptyCount(OTHERS);

  /** @param names meaning of the names; those of events are said of all callers beyond the limit only */
  constructor(private readonly names: 'routes' | 'events') {}

  /** @returns whether it is the first one of that caller, which is not counted */
  add({ key, event, name }: Refusal): boolean {
    const known = this.counts.get(key);
    if (!known && this.counts.size < MAX_CALLERS) {
      this.counts.set(key, emptyCount(event));
      return true;
    }
    if (known) known.event = event;
    const count = known ?? this.others;
    count.requests += 1;
    if (count.names.size < MAX_NAMES) count.names.add(name);
    return false;
  }

  /** One event for each caller that was counted since this was last asked. One without any refusal since is forgotten. */
  take(): AuditEvent[] {
    const sums: AuditEvent[] = [];
    for (const [key, count] of this.counts) {
      if (count.requests === 0) this.counts.delete(key);
      else {
        sums.push(this.sumOf(count));
        this.counts.set(key, emptyCount(count.event));
      }
    }
    if (this.others.requests > 0) sums.push(this.sumOf(this.others));
    this.others = emptyCount(OTHERS);
    return sums;
  }

  private sumOf({ event, requests, names }: Count): AuditEvent {
    const isNamed = this.names === 'routes' || event === OTHERS;
    return { ...event, details: { requests, ...(isNamed && { [this.names]: [...names] }) } };
  }
}

function emptyCount(event: AuditEvent): Count {
  return { event, requests: 0, names: new Set() };
}

/**
 * An event that is about no account, such as an unknown link, by network (a /48 of version 6), event and reason. `null`: it
 * is about an account, or a sum itself.
 */
export function anonymousRefusal(event: AuditEvent): Refusal | null {
  const { event: name, outcome, visitor, reason, provider } = event;
  if (outcome !== 'failure' || !visitor || name === 'request.refused' || ABOUT_ACCOUNTS.has(reason)) return null;
  const about = [event.actor, event.userId, event.sessionId, event.email, event.typedEmail];
  if (about.some((one) => one !== undefined && one !== null)) return null;
  const network = clientNetworks(visitor.ip).at(-1)?.key;
  return { key: [network, name, provider, reason].join('\n'), event, name };
}

/** A request that is refused for lack of a scope, by caller, or for a bearer token that is not valid, by network. */
export function requestRefusal(request: ServiceRequest, { error }: DomainError): Refusal | null {
  const { caller, hasBadToken, ip, method } = request;
  if (error !== 'insufficient_scope' && !hasBadToken) return null;
  const { path } = request.route as { readonly path: string };
  const event: AuditEvent = {
    event: 'request.refused',
    outcome: 'failure',
    visitor: visitorOf(request),
    reason: hasBadToken ? 'invalid_token' : error,
    ...(caller && { actor: caller, sessionId: caller.sessionId ?? null }),
  };
  return { key: caller ? callerKey(caller) : clientNetwork(ip), event, name: `${method} ${path}` };
}
