import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { IsNull, MoreThan } from 'typeorm';
import { Clock } from '../../../../common/clock.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { cookieOf } from '../../../../common/http/cookie.js';
import { Page } from '../../../../common/http/page.js';
import { escapeHtml } from '../../../../common/text/escape-html.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { publicAddress } from '../../../../config/public-address.js';
import { Settings } from '../../../../config/settings.js';
import { Reads } from '../../../../database/statements/reads.js';
import { insertRow } from '../../../../database/statements/statement.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { USER, usersBy } from '../../../../users/rows/user-rows.js';
import { providerTitle } from '../../../methods/sign-in-methods.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { hashOf, isSame, isSecret, newSecret, ownCookie } from '../../../secrets/secrets.js';
import { SameOrigin } from '../../../sessions/refreshing/presented-tokens.js';
import type { FlowStart } from '../flow/flow.js';
import { invalidState } from '../identity/identity-provider.js';
import { LinkingUsers, type LinkingUser } from '../linking/linking-users.js';

/** Seconds. */
export const TICKET_SECONDS = 120;

interface Ticket extends Omit<FlowStart, 'nonce' | 'device' | 'maxAge'> {
  readonly provider: ProviderName;
}

/** One-time addresses by which a browser, that cannot send an access token, goes to a provider to link an identity. */
@Injectable()
export class LinkTickets {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly users: LinkingUsers,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** @returns the address @throws {DomainError} `insufficient_user_authentication`, `invalid_token` */
  async issue(
    provider: ProviderName,
    { userId, session }: Pick<LinkingUser, 'userId' | 'session'>,
    goal: Pick<Ticket, 'redirectTo' | 'codeChallenge'>,
  ): Promise<string> {
    const ticket: Ticket = { ...goal, session, provider };
    const token = newSecret();
    const now = this.clock.now();
    await this.unitOfWork.run(async (manager) => {
      this.users.requireFresh(await this.users.find(manager, session));
      await insertRow(manager, Challenge, {
        purpose: 'link',
        subject: hashOf(token),
        userId,
        tokenHash: hashOf(token),
        attempts: 0,
        context: JSON.stringify(ticket),
        createdAt: now,
        expiresAt: now + TICKET_SECONDS * 1_000,
      });
    });
    return publicAddress(this.settings, `/api/auth/${provider}/redirect?link=${token}`);
  }

  /** The e-mail address of the account. Spends nothing. @throws {DomainError} `invalid_state`: the ticket is not good */
  async look(token: string, provider: ProviderName): Promise<string> {
    const [owner] = await this.reads.select<Pick<Challenge, 'context'> & { readonly email: string }>(
      `SELECT ${USER.email}, c.context FROM auth_challenges c JOIN ${usersBy('c.user_id')} ` +
        "WHERE c.purpose = 'link' AND c.token_hash = ? AND c.consumed_at IS NULL AND c.expires_at > ?",
      [hashOf(token), this.clock.now()],
    );
    if (!owner || !ticketOf(owner, provider)) throw invalidState();
    return owner.email;
  }

  /** @throws {DomainError} `invalid_state`: the ticket is not good; one of another provider stays unspent */
  async spend(token: string, provider: ProviderName): Promise<Omit<FlowStart, 'device'>> {
    if (!isSecret(token)) throw invalidState();
    const ticket = await this.unitOfWork.run(async (manager) => {
      const now = this.clock.now();
      const key = { purpose: 'link', tokenHash: hashOf(token) } as const;
      const found = ticketOf(await manager.findOneBy(Challenge, key), provider);
      if (!found) return null;
      const isOpen = { consumedAt: IsNull(), expiresAt: MoreThan(now) };
      const { affected } = await manager.update(Challenge, { ...key, ...isOpen }, { consumedAt: now });
      return affected === 0 ? null : found;
    });
    if (!ticket) throw invalidState();
    const { redirectTo, codeChallenge, session } = ticket;
    return { redirectTo, codeChallenge, session, maxAge: null, nonce: newSecret() };
  }
}

function ticketOf(row: Pick<Challenge, 'context'> | null, provider: ProviderName): Ticket | null {
  // Written by this class alone.
  const ticket = row?.context == null ? null : (JSON.parse(row.context) as Ticket);
  return ticket?.provider === provider ? ticket : null;
}

/**
 * Asks before a browser goes to a provider to link an identity. The address may come from the owner of another account, so
 * only the form of the page leads on, in the browser that was shown it.
 */
@Injectable()
export class LinkPages {
  constructor(
    private readonly tickets: LinkTickets,
    private readonly sameOrigin: SameOrigin,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `invalid_state`: the ticket is not good */
  async show(provider: ProviderName, ticket: string): Promise<Page> {
    const email = await this.tickets.look(ticket, provider);
    const { siteName, providers } = this.settings;
    const givesRole = provider === 'oidc' && !!providers.oidc?.roles;
    return new Page(
      `Link ${providerTitle(provider)}?`,
      `<p>From then on it opens the account <strong>${escapeHtml(email)}</strong> at ${escapeHtml(siteName)}.${givesRole ? ' If your organisation knows you by that address, the account gets the role that it has given you.' : ''}</p>
<form method="post" action="${escapeHtml(linkAddress(ticket))}">
<button>Continue</button>
</form>
<p class="quiet">If that is not your account, or you did not begin this, close this page: nothing happens.</p>`,
      // The form names where it comes from, also in browsers without `Sec-Fetch-Site`.
      { cookies: [this.cookie(ticket)], formTargets: this.formTargets, referrerPolicy: 'same-origin' },
    );
  }

  /** Requires the form of the page, in the browser that was shown it for this ticket. @throws {DomainError} `csrf_rejected` */
  require(headers: IncomingHttpHeaders, ticket: string): void {
    const shown = cookieOf(headers.cookie, ownCookie(this.settings, 'cms_link').name);
    const wasShown = shown !== null && isSame(shown, hashOf(ticket));
    if (wasShown && this.sameOrigin.isTrustedPage(headers)) return;
    throw new DomainError(
      'csrf_rejected',
      'This form was not sent by the page that asks, or the browser hides where it comes from or keeps no cookies. ' +
        'Try again; if that does not help, allow cookies, or begin again in another browser.',
    ).withPage({ way: { href: linkAddress(ticket), label: 'Try again' } });
  }

  private cookie(ticket: string): string {
    const { name, path, secure } = ownCookie(this.settings, 'cms_link');
    return `${name}=${hashOf(ticket)}; Path=${path}; Max-Age=${TICKET_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Browsers ask for each step of the way, and providers send them on to others. */
  private get formTargets(): readonly string[] {
    return this.settings.publicUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  }
}

/** Relative to the page. */
function linkAddress(ticket: string): string {
  return `redirect?link=${encodeURIComponent(ticket)}`;
}
