import { escapeHtml } from '../../common/text/escape-html.js';
import { Page } from '../../common/http/page.js';
import type { Settings } from '../../config/settings.js';

/** The page behind the link of a notice. Spends nothing. */
export function lockDownPage(token: string, { siteName, signIn: { methods } }: Settings): Page {
  return new Page(
    'Lock your account down?',
    `<p>Do this if something happened to your account at ${escapeHtml(siteName)} that was not you. Its password, sessions, linked identities and personal API tokens end at once.</p>
<form method="post" action="lock-down">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button>Lock the account down</button>
</form>
<p>You are signed out everywhere${methods.has('password') ? ', and set a new password by mail' : ''}. If it was you, close this page: nothing happens.</p>`,
    { referrerPolicy: 'strict-origin' },
  );
}

/** Where a lock-down in a browser ends. */
export function lockedDownPage(message: string): Page {
  return new Page('Your account is locked down', `<p role="status">${escapeHtml(message)}</p>`, { isLast: true });
}
