import { emailAddress } from '../common/text/email-address.js';
import { plainAddress, withoutUser } from './values/addresses.js';
import { entriesOf, type SettingReader } from './values/setting-reader.js';

const AUTH_METHODS = ['password', 'otp', 'magic-link', 'google', 'apple', 'oidc'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Addresses that get an account when they are proved: none, all, or those of some domains. */
type SignUpPolicy = 'closed' | 'open' | { readonly domains: readonly string[] };

const DAY = 86_400;
/** A session that is refreshed by a thief ends after so many days at the latest. */
const MAX_SESSION_DAYS = 90;
/** NIST SP 800-63B: a code or link lives for ten minutes at most. */
const MAX_CODE_SECONDS = 600;
const DOMAIN = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/;

function methods(reader: SettingReader): ReadonlySet<AuthMethod> {
  if (reader.text('AUTH_METHODS') === undefined) return new Set(AUTH_METHODS);
  const names = reader.list('AUTH_METHODS');
  const unknown = names.filter((name) => !(AUTH_METHODS as readonly string[]).includes(name));
  if (unknown.length > 0 || names.length === 0) {
    reader.fault(`AUTH_METHODS has "${unknown.join(', ')}" and takes some of: ${AUTH_METHODS.join(',')}.`);
  }
  return new Set(AUTH_METHODS.filter((method) => names.includes(method)));
}

function signUp(reader: SettingReader): SignUpPolicy {
  const text = reader.text('SIGNUP') ?? 'closed';
  if (text === 'closed' || text === 'invite') return 'closed';
  if (text === 'open') return 'open';
  const domains = text.startsWith('domains:') ? entriesOf(text.slice('domains:'.length).toLowerCase()) : [];
  if (domains.length === 0 || !domains.every((domain) => DOMAIN.test(domain))) {
    reader.fault(`SIGNUP is "${text}" and must be closed, invite, open or domains:example.com,example.org.`);
  }
  return { domains };
}

function adminEmail(reader: SettingReader): string | null {
  const text = reader.text('ADMIN_EMAIL') ?? null;
  if (text !== null && !emailAddress(text))
    reader.fault(`ADMIN_EMAIL is "${text}" and must be an address: ADMIN_EMAIL=ann@example.com.`);
  return text;
}

/** Reads how long a session lasts, seconds. */
function lives(reader: SettingReader) {
  const absoluteSeconds = reader.duration('REFRESH_ABSOLUTE', 30 * DAY);
  const idleSeconds = reader.duration('REFRESH_IDLE', 14 * DAY);
  if (absoluteSeconds > MAX_SESSION_DAYS * DAY)
    reader.fault(
      `REFRESH_ABSOLUTE is "${reader.text('REFRESH_ABSOLUTE') ?? ''}" and must be ${MAX_SESSION_DAYS}d or less: REFRESH_ABSOLUTE=30d.`,
    );
  return {
    /** A session ends after so long in any case, seconds. */
    absoluteSeconds,
    /** A session ends when it was not refreshed for so long, seconds. */
    idleSeconds: Math.min(idleSeconds, absoluteSeconds),
  };
}

export function signInSettings(reader: SettingReader, ownAddress: string) {
  const life = { min: 30, max: MAX_CODE_SECONDS };
  return {
    ...lives(reader),
    methods: methods(reader),
    signUp: signUp(reader),
    /** Life of a one-time code, seconds. */
    codeSeconds: reader.integer('OTP_TTL', 600, life),
    /** Life of a magic link, seconds. */
    linkSeconds: reader.integer('MAGIC_LINK_TTL', 600, life),
    /** The page that mailed links lead to, which hands the token on; `null`: the service's own. */
    linkUrl: reader.address('MAGIC_LINK_URL'),
    /** `iss` and `aud` of access tokens. */
    issuer: reader.text('JWT_ISSUER') ?? ownAddress,
    audience: reader.text('JWT_AUDIENCE') ?? ownAddress,
    /** The address that is invited as the first admin, as long as there is no user at all; `null`: no one is. */
    adminEmail: adminEmail(reader),
  };
}

const PWNED_PASSWORDS = 'https://api.pwnedpasswords.com/range/';

/** Reads where leaked passwords are looked up: `on`, or a mirror. It ends with a slash; `null`: nowhere. */
export function pwnedUrl(reader: SettingReader): string | null {
  const text = reader.text('PWNED_CHECK') ?? 'off';
  if (text === 'off') return null;
  const url = text === 'on' ? PWNED_PASSWORDS : text;
  if (plainAddress(url)?.search !== '') {
    reader.fault(
      `PWNED_CHECK is "${withoutUser(url)}" and must be on, off, or an https address that five digits can be put behind: PWNED_CHECK=${PWNED_PASSWORDS}.`,
    );
  }
  return url.endsWith('/') ? url : `${url}/`;
}
