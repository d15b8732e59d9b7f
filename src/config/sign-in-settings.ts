import { emailAddress } from '../common/text/email-address.js';
import { address, duration, integer, list } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const AUTH_METHODS = ['password', 'otp', 'magic-link', 'google', 'apple', 'oidc'] as const;
/** A way to sign in. */
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Which addresses get an account when they are proved: none, all, or those of some domains. */
type SignUpPolicy = 'closed' | 'open' | { readonly domains: readonly string[] };

/** How people sign in, and for how long. */
export interface SignInSettings {
  readonly methods: ReadonlySet<AuthMethod>;
  readonly signUp: SignUpPolicy;
  /** Life of a one-time code, seconds. */
  readonly codeSeconds: number;
  /** Life of a magic link, seconds. */
  readonly linkSeconds: number;
  /** The page that magic links lead to, which hands the token on; `null`: the service's own. */
  readonly linkUrl: string | null;
  /** The page that links for a new password and invitations lead to; `null`: the service's own. */
  readonly passwordUrl: string | null;
  /** A session ends when it was not refreshed for so long, seconds. */
  readonly idleSeconds: number;
  /** A session ends after so long in any case, seconds. */
  readonly absoluteSeconds: number;
  /** How long a sign-in counts as fresh for what makes lasting authority, seconds. */
  readonly freshSeconds: number;
  /** Longest life of a personal API token, days; 0: any. */
  readonly maxTokenDays: number;
  /** `iss` and `aud` of access tokens. */
  readonly issuer: string;
  readonly audience: string;
  /** Mails that anybody can ask for and that may leave in an hour, all together; 0: any number. */
  readonly mailsPerHour: number;
  /** Who is invited as the first admin, as long as there is no user at all; `null`: no one is. */
  readonly adminEmail: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DAY = 86_400;
/** A session that is refreshed by a thief ends after so many days at the latest. */
const MAX_SESSION_DAYS = 90;
/** A sign-in that counts as fresh for longer protects nothing. */
const FRESH_SECONDS = { min: 60, usual: 600, max: 3_600 };
/** NIST SP 800-63B: a code or link lives for ten minutes at most. */
const MAX_CODE_SECONDS = 600;
const DOMAIN = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/;

function methods(text: string | undefined, faults: SettingFaults): ReadonlySet<AuthMethod> {
  if (text === undefined) return new Set(AUTH_METHODS);
  const names = list(text);
  const unknown = names.filter((name) => !(AUTH_METHODS as readonly string[]).includes(name));
  if (unknown.length > 0 || names.length === 0) {
    faults.add(`AUTH_METHODS has "${unknown.join(', ')}" and takes some of: ${AUTH_METHODS.join(',')}.`);
  }
  return new Set(AUTH_METHODS.filter((method) => names.includes(method)));
}

function signUp(text: string | undefined, faults: SettingFaults): SignUpPolicy {
  if (text === undefined || text === 'closed' || text === 'invite') return 'closed';
  if (text === 'open') return 'open';
  const domains = text.startsWith('domains:') ? list(text.slice('domains:'.length).toLowerCase()) : [];
  if (domains.length === 0 || !domains.every((domain) => DOMAIN.test(domain))) {
    faults.add(`SIGNUP is "${text}" and must be closed, invite, open or domains:example.com,example.org.`);
  }
  return { domains };
}

function adminEmail(text: string | undefined, faults: SettingFaults): string | null {
  if (text === undefined) return null;
  if (!emailAddress(text)) faults.add(`ADMIN_EMAIL is "${text}" and must be an address: ADMIN_EMAIL=ann@example.com.`);
  return text;
}

function absoluteLife(text: string | undefined, faults: SettingFaults): number {
  const seconds = duration('REFRESH_ABSOLUTE', text, 30 * DAY, faults);
  if (seconds > MAX_SESSION_DAYS * DAY) {
    faults.add(`REFRESH_ABSOLUTE is "${text}" and must be ${MAX_SESSION_DAYS}d or less: REFRESH_ABSOLUTE=30d.`);
  }
  return seconds;
}

function freshLife(text: string | undefined, faults: SettingFaults): number {
  const seconds = duration('FRESH_SIGN_IN', text, FRESH_SECONDS.usual, faults);
  if (seconds < FRESH_SECONDS.min || seconds > FRESH_SECONDS.max) {
    faults.add(`FRESH_SIGN_IN is "${text}" and must be from 1m to 1h: FRESH_SIGN_IN=10m.`);
  }
  return seconds;
}

/** Reads and checks everything about signing in. What does not fit is added to the faults. */
export function signInSettings(env: Environment, ownAddress: string, faults: SettingFaults): SignInSettings {
  const life = { min: 30, max: MAX_CODE_SECONDS };
  const absoluteSeconds = absoluteLife(env.REFRESH_ABSOLUTE, faults);
  const idleSeconds = duration('REFRESH_IDLE', env.REFRESH_IDLE, 14 * DAY, faults);
  return {
    methods: methods(env.AUTH_METHODS, faults),
    signUp: signUp(env.SIGNUP, faults),
    codeSeconds: integer('OTP_TTL', env.OTP_TTL, 600, life, faults),
    linkSeconds: integer('MAGIC_LINK_TTL', env.MAGIC_LINK_TTL, 600, life, faults),
    linkUrl: address('MAGIC_LINK_URL', env.MAGIC_LINK_URL, faults),
    passwordUrl: address('PASSWORD_URL', env.PASSWORD_URL, faults),
    idleSeconds: Math.min(idleSeconds, absoluteSeconds),
    absoluteSeconds,
    freshSeconds: freshLife(env.FRESH_SIGN_IN, faults),
    maxTokenDays: integer('MAX_TOKEN_DAYS', env.MAX_TOKEN_DAYS, 365, { min: 0, max: 36_500 }, faults),
    issuer: env.JWT_ISSUER ?? ownAddress,
    audience: env.JWT_AUDIENCE ?? ownAddress,
    adminEmail: adminEmail(env.ADMIN_EMAIL, faults),
    mailsPerHour: integer('MAILS_PER_HOUR', env.MAILS_PER_HOUR, 500, { min: 0, max: 1_000_000 }, faults),
  };
}
