import { Injectable } from '@nestjs/common';
import { Equal, In, IsNull, Or, type EntityManager } from 'typeorm';
import { hasBegunSession } from '../../../audit/user-events.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { clientNetworks } from '../../../common/http/request-context.js';
import type { Account } from '../../../users/rows/account.js';
import { DeviceCookie } from '../../limits/known-clients.js';
import { Session } from '../../tokens/access/session.entity.js';
import type { RevocationReason } from './session-revocation.js';

/** How many sessions are compared by network and program. */
const MAX_COMPARED = 100;
/** Not those that were ended because they were not trusted any more. */
const TRUSTED = { revokeReason: Or(IsNull(), In(['logout', 'provider_logout'] satisfies RevocationReason[])) };

type Place = Pick<Session, 'ip' | 'userAgent'>;

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
    if (await this.isSame(manager, userId, visitor)) return false;
    if (await this.isAlike(manager, userId, visitor)) return false;
    return this.hasSignedIn(manager, userId);
  }

  /** Whether the visitor shows the cookie of a sign-in of that user since the last change of the password. */
  isKnown(account: Account, { device }: Visitor): boolean {
    const shown = this.cookie.read(device);
    return shown !== null && this.cookie.isOf(shown, account);
  }

  /** Finds programs that sign in again and again with the first row. */
  private isSame(manager: EntityManager, userId: number, { ip, userAgent }: Place): Promise<boolean> {
    const isSameProgram = userAgent ? Equal(userAgent) : Or(IsNull(), Equal(''));
    return manager.existsBy(Session, { ...TRUSTED, userId, ip, userAgent: isSameProgram });
  }

  private async isAlike(manager: EntityManager, userId: number, here: Place): Promise<boolean> {
    const places = await manager.find(Session, {
      select: { id: true, ip: true, userAgent: true },
      where: { ...TRUSTED, userId },
      order: { refreshedAt: 'DESC' },
      take: MAX_COMPARED,
    });
    return places.some((place) => likenessOf(place) === likenessOf(here));
  }

  /** The audit remembers it when the sessions are forgotten. */
  private async hasSignedIn(manager: EntityManager, userId: number): Promise<boolean> {
    return (await manager.existsBy(Session, { userId })) || hasBegunSession(manager, userId);
  }
}

/** What stays the same when a program is updated, or gets another address in its network. */
function likenessOf({ ip, userAgent }: Place): string {
  const network = ip.includes('.') ? ip.slice(0, ip.lastIndexOf('.')) : clientNetworks(ip)[0].key;
  return `${network}\n${(userAgent ?? '').replaceAll(/[\d._]+/g, '')}`;
}
