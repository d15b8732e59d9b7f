import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { ERROR_STATUS } from '../../../../common/errors/catalogue.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { LOG } from '../../../../common/logging/logging.module.js';
import type { ProviderName } from '../../../../config/provider-settings.js';

/** Logs sign-ins that failed. */
@Injectable()
export class FlowFailures {
  constructor(
    private readonly audit: Audit,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Browsers get the name of the failure in an address: only the log has that a provider is out of order. */
  note(error: unknown, provider: ProviderName, visitor: Visitor): void {
    if (!(error instanceof DomainError)) return;
    this.audit.note({ event: 'provider.sign_in', outcome: 'failure', provider, reason: error.error, visitor });
    const isOurs = ERROR_STATUS[error.error] >= 500;
    if (isOurs) this.log.warn({ request_id: visitor.requestId, provider, err: error.cause }, error.message);
  }
}
