import type { Caller } from '../common/access/caller.js';
import type { Visitor } from '../common/access/visitor.js';

/** All events of the audit. Its readers search for these names, so none is ever renamed. */
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
  'step_up',
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
  /** Failures keep other devices than the known ones from a way to sign in: `details` says from which. */
  'account.locked',
  'account.locked_down',
  'token.created',
  'token.revoked',
  'token.rotated',
  'key.rotated',
  /** The database goes on with a secret that opens nothing of what the former one has sealed. */
  'secret.replaced',
  /** Everything, with the hashes of passwords, is in a file; or came out of one. */
  'backup.written',
  'backup.restored',
  /** All records of a content type, or everything, left the service. */
  'content.exported',
  /** A change that loses values, with the confirmation that this is meant. */
  'type.changed',
  'type.deleted',
  'taxonomy.deleted',
  /**
   * For lack of a scope, or with a bearer token that is not valid: `details` says how often, and on which routes; or
   * further refusals that are about no account, with the names of their events.
   */
  'request.refused',
  /** More happened than could be written down: `details` says how much. */
  'audit.dropped',
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Something that happened to an account or a credential. Holds nothing secret, and nothing that was typed. */
export interface AuditEvent {
  readonly event: AuditEventName;
  readonly outcome: AuditOutcome;
  /** Whom it is about. */
  readonly userId?: number | null;
  /** The address of that user as it is stored; never what was typed. */
  readonly email?: string | null;
  /** Text that was typed as an address, without an account. It may be anything, so only a keyed hash of it is kept. */
  readonly typedEmail?: string;
  readonly sessionId?: string | null;
  /** The caller who did it; left out: it is not known. */
  readonly actor?: Caller;
  readonly visitor?: Visitor | null;
  readonly provider?: string;
  /** The reason of the failure, as a name: `expired`. */
  readonly reason?: string;
  readonly details?: AuditDetails;
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
