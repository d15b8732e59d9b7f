import { Injectable } from '@nestjs/common';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { KeyedLimits } from '../../../common/rate-limits/keyed-limits.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { invalidRefreshToken, Refreshing } from './refreshing.js';
import type { RefreshClaim } from '../../tokens/refresh/refresh-tokens.js';
import { SessionRevocation } from '../lifecycle/session-revocation.js';

/** Prolongs sessions, and ends those whose refresh token was used twice. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly refreshing: Refreshing,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
    private readonly limits: KeyedLimits,
  ) {}

  /** @throws {DomainError} `invalid_refresh_token`, `refresh_token_reused`, `too_many_requests` */
  async refresh(claim: RefreshClaim, visitor: Visitor): Promise<OpenedSession> {
    await this.limits.take('refresh', claim.sessionId);
    const refreshed = await this.refreshing.refresh(claim, visitor);
    if (refreshed.kind === 'opened') return refreshed.session;
    const { sessionId } = claim;
    if (refreshed.kind === 'refused') {
      this.audit.note({ event: 'refresh', outcome: 'failure', sessionId, reason: 'invalid_refresh_token', visitor });
      throw invalidRefreshToken();
    }
    this.revocation.settledOne(sessionId);
    throw new DomainError(
      'refresh_token_reused',
      'This refresh token was used before, so another person may have it. The session is over: sign in again.',
    );
  }
}
