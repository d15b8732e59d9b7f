import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import type { AccessOrder } from '../tokens/access/access-tokens.js';
import { CodeConfirmations } from '../proofs/otp/code-confirmations.js';
import { codeCounter } from '../proofs/otp/code-tries.js';
import { sessionPlace, type KnownPlace } from '../limits/known-places.js';
import { invalidCredentials } from '../proofs/password/login/login.service.js';
import { PasswordCheck } from '../proofs/password/login/password-check.js';
import { holderOf, requirePresent } from '../tokens/access/holder.js';
import { RaisedSessions, type Proof } from './raised-sessions.js';

/** By what a user confirms who they are. */
export type Shown = { readonly password: string } | { readonly code: string };

/** Makes the sign-in of a session that lives a fresh one. Failures count by session. @see RFC 9470 */
@Injectable()
export class StepUpService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordCheck,
    private readonly codes: CodeConfirmations,
    private readonly sessions: RaisedSessions,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_token`, `invalid_credentials`, `invalid_code`, `too_many_requests`, `overloaded` */
  async raise(caller: Caller, shown: Shown, visitor: Visitor): Promise<AccessOrder> {
    const { userId, sessionId } = holderOf(caller);
    const account = requirePresent(await this.users.find(userId));
    const event = { event: 'step_up', userId, email: account.email, sessionId, visitor } as const;
    // A user is signed in there: what others try at the address counts elsewhere.
    const place = sessionPlace(sessionId, account);
    return this.audit.noteRefusal(event, async () => {
      const proof = await ('password' in shown
        ? this.byPassword(account, shown.password, { visitor, place })
        : this.byCode(account, shown.code, place));
      return this.sessions.raise(caller, { ...proof, visitor });
    });
  }

  private async byPassword(
    { id, emailKey }: Account,
    password: string,
    shown: { readonly visitor: Visitor; readonly place: KnownPlace },
  ): Promise<Omit<Proof, 'visitor'>> {
    const checked = await this.passwords.check(emailKey, password, shown);
    if (checked?.account.id !== id) throw invalidCredentials();
    return {
      means: 'pwd',
      take: (_, present) => {
        const isSame = present.passwordHash === checked.account.passwordHash;
        return isSame ? Promise.resolve() : Promise.reject(invalidCredentials());
      },
    };
  }

  private async byCode({ emailKey }: Account, code: string, place: KnownPlace): Promise<Omit<Proof, 'visitor'>> {
    const open = await this.codes.compare(emailKey, code, place);
    return { means: 'otp', take: (manager) => this.codes.spend(manager, open, codeCounter(emailKey, place)) };
  }
}
