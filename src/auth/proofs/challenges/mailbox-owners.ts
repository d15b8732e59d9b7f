import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../../common/access/visitor.js';
import type { EmailAddress } from '../../../common/text/email-address.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { isSetUpByAdmin, type Account } from '../../../users/rows/account.js';
import { CredentialRevocation } from '../../accounts/credential-revocation.js';
import { ProvenMailbox } from '../../accounts/proven-mailbox.js';
import { SignUp, retryOnCollision } from '../../accounts/sign-up.js';

/** Which mailbox is about to be proved, and from where. */
export interface MailboxVisit {
  /** See `EmailAddress`. */
  readonly emailKey: string;
  /** For the audit. */
  readonly visitor: Visitor;
}

/** An account whose mailbox was proved. */
export interface Proven {
  readonly account: Account;
  /** Whether it was there unproven, so that everything was taken from it that opened it. */
  readonly isStripped: boolean;
}

/**
 * The account of a proved address, a new one where sign-up is open to it.
 *
 * @throws {DomainError} `account_disabled`, `signup_closed`, `last_admin`
 */
export type Prove = (email: EmailAddress) => Promise<Proven>;

/** Finds or creates the account of a mailbox whose owner has proved it. */
@Injectable()
export class MailboxOwners {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly mailbox: ProvenMailbox,
    private readonly signUp: SignUp,
    private readonly credentials: CredentialRevocation,
  ) {}

  /**
   * Runs a unit of work in which a mailbox is proved. The account is locked before the challenge is consumed, as by
   * everything that ends both.
   *
   * @param work what to do with the means to prove it
   */
  async proving<Result>(
    { emailKey, visitor }: MailboxVisit,
    work: (manager: EntityManager, prove: Prove) => Promise<Result>,
  ): Promise<Result> {
    const proofs = { haveStripped: false };
    const result = await retryOnCollision(() =>
      this.unitOfWork.run(async (manager) => {
        proofs.haveStripped = false;
        await this.mailbox.hold(manager, { key: emailKey });
        return work(manager, async (email) => {
          const proven = await this.prove(manager, email, visitor);
          proofs.haveStripped = proven.isStripped;
          return proven;
        });
      }),
    );
    if (proofs.haveStripped) this.credentials.settled();
    return result;
  }

  private async prove(manager: EntityManager, email: EmailAddress, visitor: Visitor): Promise<Proven> {
    const known = await this.mailbox.hold(manager, email);
    if (!known) {
      const account = await this.signUp.register(manager, email, { name: null, isProved: true });
      return { account, isStripped: false };
    }
    const account = await this.mailbox.prove(manager, known, { visitor });
    return { account, isStripped: known.emailVerifiedAt === null && !isSetUpByAdmin(known) };
  }
}
