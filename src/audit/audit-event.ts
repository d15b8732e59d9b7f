import type { Caller } from '../common/access/caller.js';
import type { Visitor } from '../common/access/visitor.js';

/** All that the audit tells of. Whoever reads it searches for these names, so none is ever renamed. */
export const AUDIT_EVENTS = [
  'login',
  'otp.sent',
  'otp.verify',
  'magic_link.sent',
  'magic_link.verify',
  'provider.sign_in',
  'provider.link',
  'provider.unlink',
  'exchange',
  'refresh',
  'refresh.reused',
  'logout',
  'session.ended',
  'password.forgot',
  'password.reset',
  'password.changed',
  'invitation.sent',
  'invitation.accepted',
  'user.created',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'user.deleted',
  'account.stripped',
  'token.created',
  'token.revoked',
  'token.rotated',
  'key.rotated',
  /** More happened than could be written down: `details` says how much. */
  'audit.dropped',
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Something that happened to an account or a credential. Holds nothing secret, and nothing that somebody typed. */
export interface AuditEvent {
  readonly event: AuditEventName;
  readonly outcome: AuditOutcome;
  /** Whom it is about. */
  readonly userId?: number | null;
  /** The address of that user as it is stored; never what somebody typed. */
  readonly email?: string | null;
  /**
   * What somebody typed as an address that is nobody's. It may be anything, even a password in the wrong field,
   * so only a keyed hash of it is kept: enough to see that two attempts were about the same.
   */
  readonly typedEmail?: string;
  readonly sessionId?: string | null;
  /** Who did it, where that is known. */
  readonly actor?: Caller;
  readonly visitor?: Visitor | null;
  readonly provider?: string;
  /** Why it failed, as a name: `expired`. */
  readonly reason?: string;
  readonly details?: AuditDetails;
}

/** Further facts, none of them secret. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;
