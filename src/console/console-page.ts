import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../common/text/escape-html.js';

/** The place in the built page of what differs from answer to answer. */
const MARK = '<!-- place -->';

/** What the page knows of the service before it asks. */
interface Place {
  /** The path that was asked for, as the service sees it: `/admin/content/post`. */
  readonly path: string;
  /** Origins whose pages may keep a session; that of the service itself comes first. */
  readonly origins: readonly string[];
  /** The name of the service. */
  readonly service: string;
}

/** A page and the policy that fits it. */
interface SafePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page of the console for one answer. Its nonce is for styles that libraries add; scripts have none, all are files.
 *
 * The base is relative, so that the page works below the path of a gateway of which the service does not know.
 */
export function consolePage(built: string, { path, origins, service }: Place): SafePage {
  const nonce = randomBytes(16).toString('base64');
  const place = [
    `<base href="${baseOf(path)}">`,
    `<meta name="place" nonce="${nonce}" data-origins="${escapeHtml(origins.join(' '))}" data-service="${escapeHtml(service)}">`,
  ];
  return { html: built.replace(MARK, () => place.join('\n')), policy: policyOf(nonce) };
}

/** What leads from a page to `/admin/`: `/admin/content/post` -> `../` */
function baseOf(path: string): string {
  const steps = path.split('/').length - 3;
  return steps < 0 ? 'admin/' : '../'.repeat(steps) || './';
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
