import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import type { EmailAddress } from '../../users/email-address.js';
import { againAfterCollision } from '../accounts/collisions.js';
import { ProvenMailbox } from '../accounts/proven-mailbox.js';
import { SignUp } from '../accounts/sign-up.js';

/** Gives accounts to those who have shown that they read the mail to an address. */
@Injectable()
export class MailboxOwners {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly mailbox: ProvenMailbox,
    private readonly signUp: SignUp,
  ) {}

  /**
   * Runs a unit of work in which a mailbox is proved.
   *
   * @param work what to do with the means to prove it
   */
  async proving<Result>(work: (manager: EntityManager, prove: Prove) => Promise<Result>): Promise<Result> {
    const proofs = { areFirst: false };
    const result = await againAfterCollision(() =>
      this.unitOfWork.run((manager) => {
        proofs.areFirst = false;
        return work(manager, async (email) => {
          const known = await this.accounts.lockByEmail(manager, email);
          proofs.areFirst = known?.emailVerifiedAt === null;
          return known ? this.mailbox.prove(manager, known) : this.signUp.register(manager, email, null);
        });
      }),
    );
    if (proofs.areFirst) this.mailbox.settled();
    return result;
  }
}

/**
 * The account of a proved address, a new one where sign-up is open to it.
 *
 * @throws {DomainError} `account_disabled`, `signup_closed`
 */
export type Prove = (email: EmailAddress) => Promise<Account>;
