import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { cookieOf } from '../../../../common/http/cookie.js';
import { Page } from '../../../../common/http/page.js';
import { escapeHtml } from '../../../../common/text/escape-html.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { Settings } from '../../../../config/settings.js';
import { providerTitle } from '../../../methods/sign-in-methods.js';
import { hashOf, isSame, ownCookie } from '../../../secrets/secrets.js';
import { SameOrigin } from '../../../sessions/refreshing/same-origin.js';
import { LinkTickets, TICKET_SECONDS } from './link-tickets.js';

/** What the page names, and what its form needs. */
interface LinkQuestion {
  readonly provider: ProviderName;
  /** Of the account that the identity will open. */
  readonly email: string;
  /** Whether the account gets the role that the provider gives the visitor, where it knows them by that address. */
  readonly givesRole: boolean;
  /** What people know the service by. */
  readonly service: string;
  /** Where the form leads, relative to the page. */
  readonly action: string;
  /** A whole `Set-Cookie` header. */
  readonly cookie: string;
  /** Origins or schemes that the form may lead to in the end. */
  readonly formTargets: readonly string[];
}

/** The page behind the address of a link. Its form names where it comes from, also in browsers without `Sec-Fetch-Site`. */
function linkPage(question: LinkQuestion): Page {
  const { provider, email, givesRole, service, action, cookie, formTargets } = question;
  const title = providerTitle(provider);
  return new Page(
    `Link ${title}?`,
    `<p>From then on it opens the account <strong>${escapeHtml(email)}</strong> at ${escapeHtml(service)}.${givesRole ? ' If your organisation knows you by that address, the account gets the role that it has given you.' : ''}</p>
<form method="post" action="${escapeHtml(action)}">
<button>Continue</button>
</form>
<p class="quiet">If that is not your account, or you did not begin this, close this page: nothing happens.</p>`,
    { cookies: [cookie], formTargets, referrerPolicy: 'same-origin' },
  );
}

/**
 * Asks before a browser goes to a provider to link an identity. The address may come from the owner of another account, in
 * which the identity of the visitor would end: so only the form of the page leads on, in the browser that was shown it.
 */
@Injectable()
export class LinkPages {
  constructor(
    private readonly tickets: LinkTickets,
    private readonly sameOrigin: SameOrigin,
    private readonly settings: Settings,
  ) {}

  /** @throws {DomainError} `invalid_state`: the ticket was used, is over, is of another provider, or is none */
  async show(provider: ProviderName, ticket: string): Promise<Page> {
    const { email } = await this.tickets.look(ticket, provider);
    const { siteName: service, providers } = this.settings;
    return linkPage({
      provider,
      email,
      givesRole: provider === 'oidc' && !!providers.oidc?.roles,
      service,
      action: linkAddress(ticket),
      cookie: this.cookie(ticket),
      formTargets: this.formTargets,
    });
  }

  /**
   * That a request posts the form of the page, in the browser that was shown it for this ticket.
   *
   * @throws {DomainError} `csrf_rejected`
   */
  require(headers: IncomingHttpHeaders, ticket: string): void {
    const shown = cookieOf(headers.cookie, this.name);
    const wasShown = shown !== null && isSame(shown, hashOf(ticket));
    if (wasShown && this.sameOrigin.isTrustedPage(headers)) return;
    throw new DomainError(
      'csrf_rejected',
      'This form was not sent by the page that asks, or the browser hides where it comes from or keeps no cookies. ' +
        'Try again; if that does not help, allow cookies, or begin again in another browser.',
    ).withPage({ way: { href: linkAddress(ticket), label: 'Try again' } });
  }

  private get name(): string {
    return ownCookie(this.settings, 'cms_link').name;
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
