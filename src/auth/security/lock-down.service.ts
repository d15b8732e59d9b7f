import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-event.js';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Letter } from '../../mail/letter.js';
import type { Account } from '../../users/rows/account.js';
import {
  CredentialRevocation,
  endLockDownLinks,
  ALL_CREDENTIALS,
  type CredentialKind,
} from '../accounts/credential-revocation.js';
import { Identity, issuerOf, OF_ISSUER } from '../accounts/identity.entity.js';
import { ManagedRoleRemoval } from '../accounts/proven-mailbox.js';
import { LockDownLinks } from '../notices/notice-mailer.js';
import { invalidLink, MailedLinks, RESET_SECONDS } from '../proofs/challenges/mailed-links.js';
import { newSecret } from '../secrets/secrets.js';
import type { SessionRef } from '../tokens/access/session-ref.js';
import { Session } from '../tokens/access/session.entity.js';
import { serviceTokensOf } from '../tokens/api/rows/token-rows.js';

function wayBack(url: string, service: string): Letter {
  return {
    subject: `Set a new password for ${service}`,
    paragraphs: [
      `Your account at ${service} was locked down: nothing that was known of it opens it any more. Choose a new password:`,
    ],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. After that, “forgotten password” mails another link.',
  };
}

/** Outcome of a lock-down: what goes on opening the account, and whether a link for a new password was mailed. */
export type LockedDown = Awaited<ReturnType<LockedAccounts['end']>>;

interface LockDown {
  readonly visitor: Visitor;
  readonly sessionId?: string;
  readonly details: AuditDetails;
  /** Token of the link for a new password; `null`: none is mailed. */
  readonly resetToken: string | null;
}

/**
 * Takes password, sessions, identities and personal API tokens away from an account, and notes it. Identities of trusted
 * issuers and gateways stay: see `provider_identities` of {@link CredentialKind}.
 */
@Injectable()
export class LockedAccounts {
  constructor(
    private readonly credentials: CredentialRevocation,
    private readonly links: MailedLinks,
    private readonly roles: ManagedRoleRemoval,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** @param account as {@link ManagedRoleRemoval.hold} has it in this unit of work */
  async end(manager: EntityManager, account: Account, { resetToken, details, ...from }: LockDown) {
    const { id: userId, email, disabledAt } = account;
    const kinds = [...credentialsOf(account), await this.roles.ofLockDown(manager, account)];
    const { ended, account: present } = await this.credentials.revoke(manager, account, {
      reason: 'locked_down',
      kinds,
    });
    const role: AuditDetails = present.role === account.role ? {} : { role: present.role, former_role: account.role };
    const serviceTokens = (await serviceTokensOf(manager, userId, this.clock.now())).map(({ hint }) => hint);
    await this.audit.add(manager, {
      event: 'account.locked_down',
      outcome: 'success',
      userId,
      email,
      ...from,
      details: { ...details, ...ended, ...role, service_tokens: serviceTokens },
    });
    const isMailed = resetToken !== null && disabledAt === null;
    if (isMailed) {
      const link = { purpose: 'password_reset', seconds: RESET_SECONDS, letter: wayBack } as const;
      await this.links.send(manager, { ...link, subject: account.emailKey, userId, to: email, token: resetToken });
    }
    return { isMailed, serviceTokens, issuers: disabledAt === null ? await issuersOf(manager, userId) : [] };
  }
}

/** A disabled account keeps the identities of providers that give roles: by them its person is recognised and refused. */
function credentialsOf({ disabledAt }: Account): readonly CredentialKind[] {
  const identities = disabledAt === null ? 'provider_identities' : 'other_identities';
  return ALL_CREDENTIALS.map((kind) => (kind === 'identities' ? identities : kind));
}

async function issuersOf(manager: EntityManager, userId: number): Promise<string[]> {
  const identities = await manager.find(Identity, { where: { userId, provider: OF_ISSUER }, order: { id: 'ASC' } });
  return identities.map((identity) => issuerOf(identity)).filter((name) => name !== null);
}

/** Ends everything that opens an account, for an owner who suspects that others have it. */
@Injectable()
export class LockDownService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly roles: ManagedRoleRemoval,
    private readonly links: LockDownLinks,
    private readonly locked: LockedAccounts,
    private readonly settings: Settings,
  ) {}

  /**
   * By the link of a notice. One that was mailed to a former address mails no link for a new password, since the present
   * address may be that of the thief who changed it. It ends all links that were mailed there: the former address may as well
   * be the one that is in other hands.
   *
   * @throws {DomainError} `invalid_link`
   */
  async byLink(token: string, visitor: Visitor): Promise<LockedDown> {
    const resetToken = this.resetToken();
    const done = await this.unitOfWork.run(async (manager) => {
      const userId = await this.links.ownerOf(manager, token);
      const account = userId === null ? null : await this.roles.hold(manager, userId);
      const address = account && (await this.links.consume(manager, token));
      if (!account || address === null) return null;
      const isPresent = address === account.email;
      if (!isPresent) await endLockDownLinks(manager, account.id, address);
      const details = { by: 'link', address: isPresent ? 'present' : 'former' };
      return this.locked.end(manager, account, { visitor, details, resetToken: isPresent ? resetToken : null });
    });
    if (!done) throw invalidLink();
    return done;
  }

  /** By a signed-in user, whose own session ends too. @throws {DomainError} `invalid_token`: account or session have ended */
  async bySession(session: SessionRef, visitor: Visitor): Promise<LockedDown> {
    const { userId, sessionId } = session;
    const resetToken = this.resetToken();
    const done = await this.unitOfWork.run(async (manager) => {
      const account = await this.roles.hold(manager, userId);
      // Another process may have ended it seconds ago: the account is its owner's again, and stays so.
      const own = { id: sessionId, userId, revokedAt: IsNull() };
      if (!account || !(await manager.existsBy(Session, own))) return null;
      return this.locked.end(manager, account, { visitor, sessionId, details: { by: 'session' }, resetToken });
    });
    if (!done) throw new DomainError('invalid_token', 'The account of this token is gone, or its session has ended.');
    return done;
  }

  /** `null`: `AUTH_METHODS` has no passwords. */
  private resetToken(): string | null {
    return this.settings.signIn.methods.has('password') ? newSecret() : null;
  }
}
