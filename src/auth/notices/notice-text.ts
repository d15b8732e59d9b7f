import type { AuditDetails, AuditEvent } from '../../audit/audit-event.js';
import { counted } from '../../common/text/counted.js';
import type { Account } from '../../users/rows/account.js';
import type { Methods } from '../methods/sign-in-methods.js';

/** An identity as a letter names it. */
export interface NamedIdentity {
  readonly provider: string;
  /** The address that the provider gave when it was linked. */
  readonly email: string | null;
}

/** What a letter about an event is made of. */
export interface Happened {
  readonly event: AuditEvent;
  readonly account: Account;
  /** What people know the service by. */
  readonly service: string;
  readonly identities: readonly NamedIdentity[];
  readonly methods: Methods;
}

/** What a letter says of an event, before when, from where and what to do about it. */
export interface NoticeText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A further address that it goes to. */
  readonly alsoTo?: string;
}

/** ` by an administrator`, where it was not the user; without an actor it was. */
export function by({ event, actor, userId, details }: AuditEvent): string {
  if (event === 'user.updated' && details?.by !== undefined) return ' by the directory of your organisation';
  return actor === undefined || (actor.kind === 'user' && actor.id === userId) ? '' : ' by an administrator';
}

/** A fact of an event as a letter has it. */
export function text(value: AuditDetails[string] | undefined): string {
  return String(value ?? '');
}

const MAX_NAMED = 20;

/**
 * Names the service tokens that a lock-down leaves.
 *
 * @param hints what they begin with
 * @returns sentences; none where there is no such token
 */
export function remainingServiceTokens(hints: readonly string[]): readonly string[] {
  if (hints.length === 0) return [];
  const named = hints.slice(0, MAX_NAMED).join(', ') + (hints.length > MAX_NAMED ? ' and more' : '');
  const tokens = counted(hints.length, 'service token');
  return [
    `${tokens} made with the account ${hints.length === 1 ? 'goes' : 'go'} on: ${named}. If you do not know them, have an administrator end them.`,
  ];
}
