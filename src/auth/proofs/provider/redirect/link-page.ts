import { escapeHtml } from '../../../../common/text/escape-html.js';
import { Page } from '../../../../common/http/page.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { providerTitle } from '../../../methods/provider-titles.js';

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
export function linkPage(question: LinkQuestion): Page {
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
