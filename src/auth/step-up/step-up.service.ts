import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import type { AccessTokenContent } from '../tokens/access/access-tokens.js';
import { CodeConfirmations } from '../proofs/otp/code-confirmations.js';
import { codeCounter } from '../proofs/otp/code-tries.js';
import { sessionClient, type KnownClient } from '../limits/known-clients.js';
import { invalidCredentials } from '../proofs/password/login/login.service.js';
import { PasswordCheck } from '../proofs/password/login/password-check.js';
import { requirePresent, requireSession } from '../tokens/access/session-ref.js';
import { SessionElevation, type Proof } from './session-elevation.js';

/** By what a user confirms who they are. */
export type Shown = { readonly password: string } | { readonly code: string };

/** Makes the sign-in of a session that lives a fresh one. Failures count by session. @see RFC 9470 */
@Injectable()
export class StepUpService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordCheck,
    private readonly codes: CodeConfirmations,
    private readonly elevation: SessionElevation,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_token`, `invalid_credentials`, `invalid_code`, `too_many_requests`, `overloaded` */
  async raise(caller: Caller, shown: Shown, visitor: Visitor): Promise<AccessTokenContent> {
    const { userId, sessionId } = requireSession(caller);
    const account = requirePresent(await this.users.find(userId));
    const event = { event: 'step_up', userId, email: account.email, sessionId, visitor } as const;
    // A user is signed in there: what others try at the address counts elsewhere.
    const client = sessionClient(sessionId, account);
    return this.audit.noteRefusal(event, async () => {
      const proof = await ('password' in shown
        ? this.byPassword(account, shown.password, { visitor, client })
        : this.byCode(account, shown.code, client));
      return this.elevation.elevate(caller, { ...proof, visitor });
    });
  }

  private async byPassword(
    { id, emailKey }: Account,
    password: string,
    shown: { readonly visitor: Visitor; readonly client: KnownClient },
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

  private async byCode({ emailKey }: Account, code: string, client: KnownClient): Promise<Omit<Proof, 'visitor'>> {
    const open = await this.codes.compare(emailKey, code, client);
    return { means: 'otp', take: (manager) => this.codes.spend(manager, open, codeCounter(emailKey, client)) };
  }
}
