import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { visitorOf } from '../../common/access/visitor.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { type ServiceRequest, clientNetwork } from '../../common/http/request-context.js';
import { callerKey } from '../../common/access/caller.js';
import type { AuditEvent } from '../audit-event.js';
import { Audit } from '../audit.js';
import { RefusalSums, type RefusalSum } from './refusal-sums.js';

const WRITE_EVERY_MS = 60_000;

/** Who was refused, and from where. */
type RefusedCaller = Pick<AuditEvent, 'actor' | 'visitor' | 'sessionId' | 'reason'>;

/**
 * Notes in the audit who is refused for lack of a scope, and which networks send bearer tokens that are not valid: the
 * first refusal of a caller at once, those after it as one sum a minute. Each process counts for itself, for at most
 * 1,000 callers at a time; a crash loses the sums of that minute.
 *
 * @see ASVS 5.0 16.3.2
 */
@Injectable()
export class RefusedRequests implements OnApplicationBootstrap {
  private readonly sums = new RefusalSums<RefusedCaller>({ reason: 'flood' });
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly audit: Audit) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.noteSums();
    }, WRITE_EVERY_MS).unref();
    this.audit.beforeEnd(() => {
      clearInterval(this.timer);
      this.noteSums();
    });
  }

  /** Counts the request where its failure is such a refusal. */
  failed(request: ServiceRequest, { error }: DomainError): void {
    const { caller, hasBadToken, ip, method } = request;
    if (error !== 'insufficient_scope' && !hasBadToken) return;
    const { path } = request.route as { readonly path: string };
    const route = `${method} ${path}`;
    const refused = {
      visitor: visitorOf(request),
      reason: hasBadToken ? 'invalid_token' : error,
      ...(caller && { actor: caller, sessionId: caller.sessionId ?? null }),
    };
    const key = caller ? callerKey(caller) : clientNetwork(ip);
    if (this.sums.add(key, refused, route)) this.note({ caller: refused, requests: 1, routes: [route] });
  }

  private noteSums(): void {
    for (const sum of this.sums.take()) this.note(sum);
  }

  private note({ caller, requests, routes }: RefusalSum<RefusedCaller>): void {
    this.audit.note({ ...caller, event: 'request.refused', outcome: 'failure', details: { requests, routes } });
  }
}
