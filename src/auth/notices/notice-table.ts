import type { AuditEvent, AuditEventName } from '../../audit/audit-event.js';
import { passwordChanged, userUpdated } from './change-notices.js';
import { identityLinked, identityUnlinked, tokenMade, tokenRotated } from './credential-notices.js';
import { accountLocked, accountStripped, lockedDown, newDevice, sessionReused } from './incident-notices.js';
import type { Happened, NoticeText } from './notice-text.js';

type Writer = (happened: Happened) => NoticeText | null;

/** Which events are noticed by mail, and what the letter says. */
const NOTICES: Readonly<Partial<Record<AuditEventName, Writer>>> = {
  'password.changed': passwordChanged,
  'password.reset': passwordChanged,
  'user.updated': userUpdated,
  'token.created': tokenMade,
  'token.rotated': tokenRotated,
  'provider.link': identityLinked,
  'provider.unlink': identityUnlinked,
  'refresh.reused': sessionReused,
  'account.locked': accountLocked,
  'account.stripped': accountStripped,
  'account.locked_down': lockedDown,
  login: newDevice,
  'otp.verify': newDevice,
  'magic_link.verify': newDevice,
  'provider.sign_in': newDevice,
  exchange: newDevice,
};

/** Refusals that the owner of the account is to know of; of all other events only those that succeed. */
const REFUSALS: readonly AuditEventName[] = ['refresh.reused', 'account.locked'];

/** Sign-ins are noticed where they come from a device that the account does not know. */
const SIGN_INS: readonly AuditEventName[] = [
  'login',
  'otp.verify',
  'magic_link.verify',
  'provider.sign_in',
  'exchange',
];

/** What writes the letter about an event; `undefined`: there is none. */
export function noticeOf(event: AuditEvent): Writer | undefined {
  if (event.outcome === 'failure' && !REFUSALS.includes(event.event)) return undefined;
  if (SIGN_INS.includes(event.event) && event.details?.new_device !== true) return undefined;
  return NOTICES[event.event];
}
