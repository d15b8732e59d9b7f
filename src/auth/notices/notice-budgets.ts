import type { AuditEventName } from '../../audit/audit-event.js';
import type { Allowed, Tried } from '../limits/account-tries.js';

/** So many letters a day may leave about some kinds of events, per user. */
export interface NoticeBudget {
  readonly tried: Tried;
  readonly allowed: Allowed;
}

const DAY_SECONDS = 86_400;

/** What takes a credential of the account. */
const ORDINARY: NoticeBudget = { tried: 'notices', allowed: { limit: 10, seconds: DAY_SECONDS } };
/** Programs make and rotate tokens as well. */
const TOKENS: NoticeBudget = { tried: 'notices_tokens', allowed: { limit: 10, seconds: DAY_SECONDS } };
/** Anonymous requests cause these: they must use up nothing that another notice needs. */
const LOCKS: NoticeBudget = { tried: 'notices_locks', allowed: { limit: 3, seconds: DAY_SECONDS } };

/** `null`: each change of a password, an address, a role or an identity is mailed, whatever was mailed before. */
const BUDGETS: Readonly<Partial<Record<AuditEventName, NoticeBudget | null>>> = {
  'password.changed': null,
  'password.reset': null,
  'user.updated': null,
  'provider.link': null,
  'provider.unlink': null,
  'account.stripped': null,
  'account.locked_down': null,
  'token.created': TOKENS,
  'token.rotated': TOKENS,
  'account.locked': LOCKS,
};

/** From which budget the letter about an event draws; `null`: from none. */
export function noticeBudgetOf(event: AuditEventName): NoticeBudget | null {
  const budget = BUDGETS[event];
  return budget === undefined ? ORDINARY : budget;
}
