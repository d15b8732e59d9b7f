import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { Metrics, single, type Counter } from '../common/metrics/metrics.js';
import { Settings } from '../config/settings.js';
import type { AuditEvent, AuditEventName, AuditOutcome } from './audit-event.js';
import { rowFields, type EventRow } from './event-row.js';

const METHOD_OF: Partial<Record<AuditEventName, string>> = {
  login: 'password',
  'otp.verify': 'otp',
  'magic_link.verify': 'magic-link',
  'invitation.accepted': 'invitation',
};
const PROVIDERS: ReadonlySet<string> = new Set(['google', 'apple', 'oidc']);

/** What operators see of events beside the table: a metric of sign-ins, and lines of the log where those are wanted. */
@Injectable()
export class AuditSignals {
  private readonly signIns: Counter<Record<'method', string> & Record<'outcome', AuditOutcome>>;

  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {
    this.signIns = metrics.counter({
      name: 'cms_sign_ins_total',
      help: 'Sign-ins that were tried.',
      labels: ['method', 'outcome'],
    });
  }

  /** @param waiting how many events are yet to be written */
  measure(waiting: () => number): void {
    this.metrics.gauge(
      { name: 'cms_audit_waiting', help: 'Events of the audit that are yet to be written.', labels: [] },
      () => single(waiting()),
    );
  }

  /** Counts an event that is a sign-in. */
  happened({ event, outcome, provider }: AuditEvent): void {
    const method = event === 'provider.sign_in' ? knownProvider(provider) : METHOD_OF[event];
    if (method !== undefined) this.signIns.add({ method, outcome });
  }

  /** Writes an event into the log as it is in the table. */
  written(row: EventRow): void {
    if (this.settings.isAuditLogged) this.log.info({ audit: rowFields(row) }, 'audit');
  }
}

function knownProvider(provider: string | undefined): string | undefined {
  return provider !== undefined && PROVIDERS.has(provider) ? provider : undefined;
}
