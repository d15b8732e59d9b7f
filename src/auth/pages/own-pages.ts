import type { OpenAPIV3_1 } from 'openapi-types';
import { Page } from '../../common/http/page.js';
import { HTML, objectOf } from '../../common/openapi/describe.js';
import { Endpoint, named } from '../../common/openapi/endpoint.js';
import { escapeHtml } from '../../common/text/escape-html.js';
import { mailedWays, type Methods } from '../methods/sign-in-methods.js';

export const MESSAGE = named('Message', objectOf({ message: { type: 'string' } }));

/** The token of a link, in the query of its page. */
export const TOKEN_IN_QUERY: OpenAPIV3_1.ParameterObject = {
  name: 'token',
  in: 'query',
  required: true,
  schema: { type: 'string' },
};

/** The refusals of forms behind links that prove an address. */
export const PROOF_FAILURES = ['invalid_link', 'account_disabled', 'last_admin', 'csrf_rejected'] as const;

/** Describes the route of the form behind a link, where the settings name no page of a client for it. */
export const FormPage = (id: string, summary: string, description = 'If `MAGIC_LINK_URL` is set, links lead there.') =>
  Endpoint(id, summary, {
    description,
    forBrowsers: true,
    parameters: [TOKEN_IN_QUERY],
    answers: {
      200: {
        description: 'A form. Nothing is spent by looking at it, and parameters that were added are passed over.',
        content: { 'text/html': HTML },
      },
    },
    fails: ['link_over'],
  });

/** The page behind a magic link. @param address of the user, masked */
export function signInPage(token: string, address: string, formTargets: readonly string[]): Page {
  return new Page(
    'Sign in',
    `${addressLine('Signing in as', address)}<p>You followed the link in our mail. Select the button to sign in.</p>
<form method="post" action="verify">
${hidden('token', token)}
<button>Sign in</button>
</form>
<p>If you did not ask for that mail, close this page: nothing happens.</p>`,
    { formTargets, referrerPolicy: 'strict-origin' },
  );
}

export function signedInPage(name: string, cookies: readonly string[]): Page {
  return new Page(
    'You are signed in',
    `<p>Welcome, ${escapeHtml(name)}. This browser stays signed in.</p>
<p>Go back to the page that you came from. Reload it if it still asks you to sign in.</p>`,
    { cookies, isLast: true },
  );
}

/** The page behind a link for a new password. @param address of the user, masked */
export function newPasswordPage(token: string, address: string): Page {
  return new Page(
    'Choose a new password',
    `${addressLine('For', address)}<form method="post" action="reset">
${hidden('token', token)}
${passwordField('New password', 'required')}
<button>Save</button>
</form>
<p>You will be signed out everywhere. If you did not ask for that mail, close this page: nothing happens.</p>`,
    { referrerPolicy: 'strict-origin' },
  );
}

export function passwordChangedPage(): Page {
  return new Page(
    'Your password has been changed',
    '<p role="status">You were signed out everywhere. Sign in with the new password.</p>',
    { isLast: true },
  );
}

/** The page behind the link of an invitation. @param address of the guest, masked */
export function invitationPage(token: string, address: string, methods: Methods): Page {
  const hasPassword = methods.has('password');
  return new Page(
    'Welcome',
    `${addressLine('For', address)}<p>You are invited. Accept, and you are signed in.</p>
<form method="post" action="accept">
${hidden('token', token)}
${hasPassword ? passwordField('Password (may stay empty)', 'optional') : ''}
<button>Accept the invitation</button>
</form>
<p>${wayFromThenOn(methods)}If you did not expect the invitation, close this page.</p>`,
    { referrerPolicy: 'strict-origin' },
  );
}

/** The next sign-in of a guest who sets no password: a sentence with the blank behind it, or nothing. */
function wayFromThenOn(methods: Methods): string {
  const hasMail = mailedWays(methods) !== null;
  if (!methods.has('password')) return hasMail ? 'From then on you sign in by mail. ' : '';
  return hasMail
    ? 'Without a password you sign in by mail. '
    : 'Without a password you set one by mail the next time. ';
}

function passwordField(label: string, need: 'required' | 'optional'): string {
  return `<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" aria-describedby="hint"${need === 'required' ? ' required' : ''}>
<small id="hint">12 characters or more. A few random words work well.</small>`;
}

function addressLine(before: string, address: string): string {
  return `<p class="quiet">${before} ${escapeHtml(address)}</p>\n`;
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

/** `ann@example.com` -> `a•••@example.com`: enough for its owner, too little for others. */
export function maskedAddress(address: string): string {
  const [first = ''] = address;
  return `${first}•••${address.slice(address.lastIndexOf('@'))}`;
}
