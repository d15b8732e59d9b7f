import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import { type Caller, ownerIdOf } from '../../../common/access/caller.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError, ValidationError } from '../../../common/errors/domain-error.js';
import { Job } from '../../../common/jobs/job.decorator.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { Settings } from '../../../config/settings.js';
import { isUniqueViolation } from '../../../database/dialect/database-error.js';
import { readerOf } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Letter } from '../../../mail/letter.js';
import { Passwords } from '../../../users/passwords/passwords.js';
import { ActingAdmins } from '../../../users/roles/acting-admins.js';
import type { Role } from '../../../users/roles/roles.js';
import { UserAuthority } from '../../../users/roles/user-authority.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { requireEmail } from '../../../users/user-fields.js';
import { hasUsers } from '../../../users/rows/user-rows.js';
import { UserChanges } from '../../../users/user-changes.js';
import { emailTaken } from '../../../users/user.errors.js';
import { ActingAdminCheck } from '../../accounts/account-credentials.js';
import { ProvenMailbox } from '../../accounts/proven-mailbox.js';
import { retryOnCollision } from '../../accounts/sign-up.js';
import { newSecret } from '../../secrets/secrets.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { MailboxOwners } from '../challenges/mailbox-owners.js';
import { MailedLinks } from '../challenges/mailed-links.js';

type Invitation = Readonly<Record<'email' | 'name', string> & { role: Role }>;

/** The accounts that invitations are for. */
@Injectable()
export class InvitedAccounts {
  constructor(
    private readonly accounts: Accounts,
    private readonly changes: UserChanges,
    private readonly mailbox: ProvenMailbox,
    private readonly admins: ActingAdmins,
  ) {}

  /**
   * A new account, or that of a user who has not come yet without anything that opens it.
   *
   * @throws {DomainError} `email_taken`: the address is proved; `last_admin`: it is of the last one who could act;
   *   `insufficient_scope`, `managed_elsewhere`, `account_disabled`
   */
  async of(manager: EntityManager, invitation: Invitation, authority: UserAuthority): Promise<Account> {
    const { email, name, role } = invitation;
    const { key } = requireEmail(email);
    const found = await this.accounts.findByEmail(manager, { key });
    if (!found) return this.add(manager, invitation, authority);
    requireUnproven(found);
    const held = { id: found.id, beside: ownerIdOf(authority.actor) };
    await this.accounts.lockAnyWithAdmins(manager, held);
    // The user may have gone meanwhile, or moved to another address.
    const known = await this.accounts.findByEmail(manager, { key });
    if (known?.id !== found.id) return this.of(manager, invitation, authority);
    return this.admins.keeping(manager, held, async (user) => {
      requireUnproven(user);
      authority.requireRole(role);
      authority.requireOver(user);
      requireInvitable(user);
      // A password that was there before must not open what the role adds.
      await this.mailbox.strip(manager, user, authority.visitor);
      return (await this.changes.change(manager, user.id, { name, role }, authority)).user;
    });
  }

  /** @throws {DomainError} `insufficient_scope` */
  add(manager: EntityManager, { email, name, role }: Invitation, authority: UserAuthority): Promise<Account> {
    const account = { name, role, email: requireEmail(email), passwordHash: null, isVerified: false };
    return this.changes.add(manager, account, authority);
  }
}

function requireUnproven({ emailVerifiedAt }: Account): void {
  if (emailVerifiedAt !== null) throw emailTaken(undefined);
}

/** Without its identity the person of a disabled account would be given a new one. */
function requireInvitable({ disabledAt }: Account): void {
  if (disabledAt === null) return;
  throw new DomainError('account_disabled', 'This account is disabled. Enable it before its user is invited again.');
}

function invitationLetter(actor: Caller, role: Role): (url: string, service: string) => Letter {
  const inviter = personOf(actor);
  return (url, service) => {
    const invited = inviter === null ? `You are invited to ${service}` : `${inviter} invites you to ${service}`;
    return {
      subject: invited,
      paragraphs: [`${invited}, as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}. Open this link to begin:`],
      action: { label: 'Accept the invitation', url },
      footer: 'The link works once, within seven days. If you did not expect the invitation, do nothing.',
    };
  };
}

/** The name of the person who acts; `null`: a service token, the settings or the command line does. */
function personOf(caller: Caller): string | null {
  const { kind, name } = caller.author ?? caller;
  return kind === 'user' ? name : null;
}

export const INVITATION_SECONDS = 7 * 86_400;

/** Invites people by mail: an account and the link to it are there together, or neither is. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invited: InvitedAccounts,
    private readonly links: MailedLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /**
   * Adds a user without a password, and mails them a link. For a user who has not come yet the link before is over, name and
   * role are those of the new invitation, and what opened the account is taken away.
   *
   * @throws {DomainError} `email_taken`: the address is proved; `last_admin`: the user is the last one who could act;
   *   `insufficient_scope`, `managed_elsewhere`, `account_disabled`
   */
  invite(invitation: Invitation, authority: UserAuthority): Promise<Account> {
    return retryOnCollision(() =>
      this.unitOfWork.run(async (manager) =>
        this.send(manager, await this.invited.of(manager, invitation, authority), authority),
      ),
    );
  }

  /** {@link invite} if there is no user at all; otherwise nothing happens. */
  async inviteFirst(invitation: Invitation, authority: UserAuthority): Promise<void> {
    try {
      await this.unitOfWork.run(async (manager) => {
        if (!(await hasUsers(readerOf(manager))))
          await this.send(manager, await this.invited.add(manager, invitation, authority), authority);
      });
    } catch (error) {
      // Another process has begun at the same moment.
      if (!isUniqueViolation(error)) throw error;
    }
  }

  private async send(manager: EntityManager, account: Account, { actor, visitor }: UserAuthority): Promise<Account> {
    const { id: userId, email, emailKey: subject } = account;
    const letter = invitationLetter(actor, account.role);
    const link = { purpose: 'invitation', seconds: INVITATION_SECONDS, letter } as const;
    await this.links.send(manager, { ...link, subject, userId, to: email, token: newSecret() });
    await this.audit.add(manager, { event: 'invitation.sent', outcome: 'success', userId, email, actor, visitor });
    return account;
  }
}

interface Acceptance {
  readonly token: string;
  /** Left out: that of the invitation. */
  readonly name?: string;
  /** Left out: they sign in by mail. */
  readonly password?: string;
}

/** Lets invited users in. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly proofs: MailboxOwners,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: SessionOpener,
    private readonly settings: Settings,
  ) {}

  /**
   * A password that opens nothing is refused: its user would trust in it, and it might open something one day.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded`, `validation_failed`
   */
  async accept({ token, name, password }: Acceptance, visitor: Visitor): Promise<OpenedSession> {
    if (password !== undefined && !this.settings.signIn.methods.has('password')) {
      const message = 'Signing in by password is switched off here. Leave password out.';
      throw new ValidationError([{ field: 'password', rule: 'switched_off', message }]);
    }
    const proof = { event: 'invitation.accepted', visitor } as const;
    return this.proofs.take({ ...proof, purpose: 'invitation', token }, async () => {
      const passwordHash = password === undefined ? null : await this.passwords.hash(password);
      return async (manager, { account: proven }) => {
        const named = name === undefined ? proven : await this.accounts.rename(manager, proven, name);
        if (password !== undefined) this.passwords.requireImpersonal(password, named);
        const account =
          passwordHash === null ? named : await this.accounts.setPassword(manager, named, passwordHash, 'owner');
        const details = { password: passwordHash !== null, renamed: account.name !== proven.name };
        return this.sessions.open(manager, { ...proof, account, amr: ['link'], details });
      };
    });
  }
}

const SETTING: Caller = { kind: 'token', id: null, name: 'ADMIN_EMAIL', scopes: new Set(['*']) };

/**
 * Invites the first admin, so that no password is known beforehand, and warns if there are users and no admin can act. Only
 * a service that answers does so: a command may be about to make that very admin.
 */
@Injectable()
export class FirstAdminJobs {
  constructor(
    private readonly settings: Settings,
    private readonly invitations: InvitationsService,
    private readonly admins: ActingAdminCheck,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** First: who is invited now cannot act yet. */
  @Job({ name: 'first-admin.warn', once: 'listening', failure: 'whether an admin can sign in could not be checked' })
  async warn(): Promise<void> {
    const { fault, message } = await this.admins.look();
    if (fault) this.log.warn(message);
  }

  @Job({
    name: 'first-admin.invite',
    once: 'listening',
    failure: 'the first admin was not invited: `user invite` of the command line does it, and so does the next start',
  })
  async invite(): Promise<void> {
    const { adminEmail: email } = this.settings.signIn;
    if (email === null) return;
    await this.invitations.inviteFirst({ email, name: 'Admin', role: 'admin' }, new UserAuthority(SETTING));
  }
}
