import type { Request } from 'express';
import { escapeHtml } from '../text/escape-html.js';
import { linkTo, Page, siteLink } from '../http/page.js';
import { asksFor } from '../http/preference.js';
import { isForm, isFormPath, UnreadBody } from '../http/body/unread-body.js';
import { pathOf, type ServiceRequest } from '../http/request-context.js';
import { ERROR_STATUS, type ErrorName } from './catalogue.js';
import { ValidationError, type DomainError, type PageLink } from './domain-error.js';

const OF_PROGRAMS = /^\/(?:api\/(?:cms|admin|users)|health)(?:\/|$)/;
const WRONG_ADDRESS: ReadonlySet<ErrorName> = new Set(['not_found', 'method_not_allowed']);
const FLOWS = /^\/api\/auth\/[^/]+\/(?:redirect|callback)$/;

const INCOMPLETE = 'This address is not complete: open the whole link.';
/** Sentences that a person reads in place of the message, where that speaks to programs or says what the link below it says. */
const SENTENCES: Partial<Record<ErrorName, string>> = {
  access_denied: 'The sign-in was cancelled.',
  insufficient_user_authentication: 'You signed in too long ago for this. Sign in again, then begin again.',
  internal_error: 'Something went wrong on our side.',
  invalid_code_exchange: 'The identity provider did not confirm this sign-in.',
  invalid_id_token: 'The identity provider did not confirm this sign-in.',
  invalid_link: 'This link was used before, was replaced by a newer one, or has expired.',
  invalid_query: INCOMPLETE,
  invalid_state: 'This sign-in was started in another tab or browser, or has ended. Start it again.',
  method_not_allowed: 'This address is for programs, and shows nothing in a browser.',
  payload_too_large: 'The text is too long.',
  provider_unavailable: 'The identity provider does not answer as it should.',
};

const MENDABLE: ReadonlySet<ErrorName> = new Set([
  'validation_failed',
  'too_many_requests',
  'overloaded',
  'internal_error',
]);

/** True if a failure is shown as a page: a program gets JSON, and one that says nothing is known by its body. */
export function isPageWanted(request: Request, error: ErrorName): boolean {
  const asked = asksFor(request);
  if (asked === 'json') return false;
  if (isForm(request)) return true;
  // No browser navigates with any other body, and some programs name HTML first in everything they send.
  const hasBody = request.headers['content-type'] !== undefined;
  const path = pathOf(request.originalUrl);
  if (asked !== 'html' || hasBody) return false;
  return FLOWS.test(path) || isFormPath(path) || (WRONG_ADDRESS.has(error) && !OF_PROGRAMS.test(path));
}

/** One sentence and one link, and the number of the request where its reader may need help. */
export function failurePage(request: ServiceRequest, failure: DomainError): Page {
  const { error, page = {} } = failure;
  const way = page.way ?? wayOf(request, error);
  const address = page.address ? `<p class="quiet">For ${escapeHtml(page.address)}</p>\n` : '';
  const status = ERROR_STATUS[error];
  return new Page(
    'That did not work',
    `${address}<p class="alarm" role="alert">${escapeHtml(sentence(failure))}</p>
${linkTo(way)}${helpLine(status, request.id)}`,
    { status },
  );
}

function helpLine(status: number, id: string): string {
  if (status < 500 && status !== 403) return '';
  return `\n<p class="quiet">If you need help, name this request to an administrator: ${escapeHtml(id)}</p>`;
}

/** Messages to programs may begin with the name of a field. The token of a form comes from the address of its page. */
function sentence(failure: DomainError): string {
  if (failure instanceof ValidationError && failure.faults.some(({ field }) => field === 'token')) return INCOMPLETE;
  const message = SENTENCES[failure.error] ?? failure.message;
  return message.slice(0, 1).toUpperCase() + message.slice(1);
}

/** Back to the form, where the failure leaves its token good; otherwise to the site, or to the root of the service. */
function wayOf(request: Request, error: ErrorName): PageLink {
  const path = pathOf(request.originalUrl);
  const token = request.body instanceof UnreadBody ? request.body.form?.token : undefined;
  if (typeof token === 'string' && MENDABLE.has(error)) {
    return { href: `${path.slice(path.lastIndexOf('/') + 1)}?token=${encodeURIComponent(token)}`, label: 'Try again' };
  }
  return siteLink(request);
}
