import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hasBegunSession } from '../../../audit/user-events.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { clientNetworks } from '../../../common/http/client-address.js';
import { select } from '../../../database/statements/statement.js';
import type { Account } from '../../../users/rows/account.js';
import { DeviceCookie } from '../../limits/device-cookie.js';

/** How many sessions are compared by network and program. */
const MAX_COMPARED = 100;
/** Not those that were ended because they were not trusted any more. */
const TRUSTED = "user_id = ? AND (revoke_reason IS NULL OR revoke_reason IN ('logout', 'provider_logout'))";

interface Place {
  readonly ip: string;
  readonly user_agent: string | null;
}

/** Recognises sign-ins on devices from which an account was not used before. */
@Injectable()
export class NewDevices {
  constructor(private readonly cookie: DeviceCookie) {}

  /**
   * A device is new where the user has signed in before, and it shows neither the cookie of a sign-in since the last
   * change of the password nor the network (/24 of version 4, /64 of version 6) and the program, in any version, of a
   * session that is kept (30 days after its end) and was not ended out of distrust.
   *
   * @param manager of the unit of work that opens the session, before it is inserted
   */
  async isNew(manager: EntityManager, account: Account, visitor: Visitor): Promise<boolean> {
    if (this.isKnown(account, visitor)) return false;
    const { id: userId } = account;
    const { ip, userAgent } = visitor;
    const here: Place = { ip, user_agent: userAgent };
    if (await this.isSame(manager, userId, here)) return false;
    if (await this.isAlike(manager, userId, here)) return false;
    return this.hasSignedIn(manager, userId);
  }

  /** Whether the visitor shows the cookie of a sign-in of that user since the last change of the password. */
  isKnown(account: Account, { device }: Visitor): boolean {
    const shown = this.cookie.read(device);
    return shown !== null && this.cookie.isOf(shown, account);
  }

  /** Finds programs that sign in again and again with the first row. */
  private async isSame(manager: EntityManager, userId: number, { ip, user_agent: userAgent }: Place): Promise<boolean> {
    const sql = `SELECT 1 FROM auth_sessions WHERE ${TRUSTED} AND ip = ? AND COALESCE(user_agent, '') = ? LIMIT 1`;
    return (await select(manager, sql, [userId, ip, userAgent ?? ''])).length > 0;
  }

  private async isAlike(manager: EntityManager, userId: number, here: Place): Promise<boolean> {
    const sql = `SELECT ip, user_agent FROM auth_sessions WHERE ${TRUSTED} ORDER BY refreshed_at DESC LIMIT ${MAX_COMPARED}`;
    const places = await select<Place>(manager, sql, [userId]);
    return places.some((place) => likenessOf(place) === likenessOf(here));
  }

  /** The audit remembers it when the sessions are forgotten. */
  private async hasSignedIn(manager: EntityManager, userId: number): Promise<boolean> {
    const kept = await select(manager, 'SELECT 1 FROM auth_sessions WHERE user_id = ? LIMIT 1', [userId]);
    if (kept.length > 0) return true;
    return hasBegunSession(manager, userId);
  }
}

/** What stays the same when a program is updated, or gets another address in its network. */
function likenessOf({ ip, user_agent: userAgent }: Place): string {
  const network = ip.includes('.') ? ip.slice(0, ip.lastIndexOf('.')) : clientNetworks(ip)[0].key;
  return `${network}\n${(userAgent ?? '').replaceAll(/[\d._]+/g, '')}`;
}
