import { emailAddress } from '../common/text/email-address.js';
import { plainAddress, withoutUser } from './values/addresses.js';
import { entriesOf, type SettingReader } from './values/setting-reader.js';

const AUTH_METHODS = ['password', 'otp', 'magic-link', 'google', 'apple', 'oidc'] as const;
/** A way to sign in. */
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Which addresses get an account when they are proved: none, all, or those of some domains. */
type SignUpPolicy = 'closed' | 'open' | { readonly domains: readonly string[] };

const DAY = 86_400;
/** A session that is refreshed by a thief ends after so many days at the latest. */
const MAX_SESSION_DAYS = 90;
/** A sign-in that counts as fresh for longer protects nothing. */
const FRESH_SECONDS = { min: 60, usual: 600, max: 3_600 };
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

/** How long a session and a sign-in last, seconds. */
function lives(reader: SettingReader) {
  const absoluteSeconds = reader.duration('REFRESH_ABSOLUTE', 30 * DAY);
  const idleSeconds = reader.duration('REFRESH_IDLE', 14 * DAY);
  const freshSeconds = reader.duration('FRESH_SIGN_IN', FRESH_SECONDS.usual);
  if (absoluteSeconds > MAX_SESSION_DAYS * DAY)
    reader.fault(
      `REFRESH_ABSOLUTE is "${reader.text('REFRESH_ABSOLUTE') ?? ''}" and must be ${MAX_SESSION_DAYS}d or less: REFRESH_ABSOLUTE=30d.`,
    );
  if (freshSeconds < FRESH_SECONDS.min || freshSeconds > FRESH_SECONDS.max)
    reader.fault(
      `FRESH_SIGN_IN is "${reader.text('FRESH_SIGN_IN') ?? ''}" and must be from 1m to 1h: FRESH_SIGN_IN=10m.`,
    );
  return {
    /** A session ends after so long in any case, seconds. */
    absoluteSeconds,
    /** A session ends when it was not refreshed for so long, seconds. */
    idleSeconds: Math.min(idleSeconds, absoluteSeconds),
    /** How long a sign-in counts as fresh for what makes lasting authority, seconds. */
    freshSeconds,
  };
}

/** Reads and checks everything about signing in. */
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
    /** The page that magic links lead to, which hands the token on; `null`: the service's own. */
    linkUrl: reader.address('MAGIC_LINK_URL'),
    /** The page that links for a new password and invitations lead to; `null`: the service's own. */
    passwordUrl: reader.address('PASSWORD_URL'),
    /** Longest life of a personal API token, days; 0: any. */
    maxTokenDays: reader.integer('MAX_TOKEN_DAYS', 365, { min: 0, max: 36_500 }),
    /** `iss` and `aud` of access tokens. */
    issuer: reader.text('JWT_ISSUER') ?? ownAddress,
    audience: reader.text('JWT_AUDIENCE') ?? ownAddress,
    /** Who is invited as the first admin, as long as there is no user at all; `null`: no one is. */
    adminEmail: adminEmail(reader),
    /** Mails that anybody can ask for and that may leave in an hour, all together; 0: any number. */
    mailsPerHour: reader.integer('MAILS_PER_HOUR', 500, { min: 0, max: 1_000_000 }),
  };
}

const PWNED_PASSWORDS = 'https://api.pwnedpasswords.com/range/';

/**
 * Where new passwords are looked for among leaked ones, with a slash at the end: `on`, or the address of a mirror. `null`:
 * nowhere.
 */
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
