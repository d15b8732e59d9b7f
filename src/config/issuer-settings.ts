import { ROLES, type Role } from '../common/access/role-names.js';
import { gatewaySecret } from './gateway-settings.js';
import type { DirectoryRoles } from './directory-settings.js';
import { withoutUser } from './urls/without-user.js';
import { isLoopback } from './values/loopback.js';
import type { SettingFaults } from './values/setting-faults.js';

/**
 * What tokens of others may be signed with. Asymmetric algorithms only: with `HS256` anybody who knows the public key could
 * sign.
 */
export const SIGNATURES = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const MAX_ISSUERS = 8;
/** With `jwt:` before it, the name of a provider of identities: 16 characters. */
const NAME = /^[a-z][a-z0-9-]{0,11}$/;
/** The name of the gateway among issuers. */
export const GATEWAY = 'gateway';
const HOUR = 3_600;
const DAY = 86_400;

/** How users of others become users here. */
export interface IssuerRules {
  /** Names their identities: `jwt:<name>`. */
  readonly name: string;
  readonly roles: DirectoryRoles;
  /** `known`: only those who have an account by this issuer already are let in. */
  readonly accounts: 'create' | 'known';
  /** Whether the operator vouches for the addresses of this issuer: only then they count as proved. */
  readonly isEmailTrusted: boolean;
  /** Whether the operator vouches that users have proved themselves just now: their requests take no other sign-in. */
  readonly isFresh: boolean;
}

/** How users whom a gateway names become users here. */
export interface GatewayRules extends IssuerRules {
  /** Whether `Ann` and `ann` are one user: gateways that hand on what was typed let both in with one password. */
  readonly ignoresCase: boolean;
  /** Whether the gateway sets the header with the time of the sign-in; otherwise it is the client's, and is not read. */
  readonly saysAuthTime: boolean;
}

/** A service whose access tokens are taken. */
export interface TrustedIssuer extends IssuerRules {
  readonly issuer: string;
  readonly audience: string;
  /** Where its public keys are. */
  readonly keys: { readonly url: string } | { readonly file: string };
  readonly algorithms: readonly string[];
  /** The clients that tokens are taken from; `null`: any. */
  readonly clients: readonly string[] | null;
  /** The claim that never changes. */
  readonly subject: string;
  /** Where a token names the scopes that it is narrowed to; `null`: it has those of the role. */
  readonly scopes: { readonly claim: string; readonly prefix: string } | null;
  /** Older tokens are refused, seconds. */
  readonly maxAgeSeconds: number;
}

/** Users who are signed in elsewhere. */
export interface OutsiderSettings {
  /** Services whose access tokens are taken. */
  readonly issuers: readonly TrustedIssuer[];
  /** By what a gateway proves that the user in its headers is its own; `null`: no such header is read. */
  readonly gatewaySecret: string | null;
  /** How users whom the gateway names become users here. */
  readonly gatewayUsers: GatewayRules | null;
}

type Fields = Readonly<Record<string, unknown>>;

const EXAMPLE =
  'TRUSTED_ISSUERS=[{"name":"corp","issuer":"https://id.example.com","audience":"cms","jwks_url":"https://id.example.com/jwks","algorithms":["RS256"],"groups":{"claim":"groups","map":{"cms-admins":"admin"}}}]';

/**
 * Reads and checks who else may sign users in. What does not fit is added to the faults.
 *
 * @param own the issuer of this service's tokens
 */
export function outsiderSettings(
  env: Readonly<Record<string, string | undefined>>,
  where: { readonly own: string; readonly isProduction: boolean },
  faults: SettingFaults,
): OutsiderSettings {
  return {
    issuers: trustedIssuers(env.TRUSTED_ISSUERS, where, faults),
    gatewaySecret: gatewaySecret(env, faults),
    gatewayUsers: gatewayUsers(env.GATEWAY_USERS, faults),
  };
}

function trustedIssuers(
  text: string | undefined,
  { own, isProduction }: { readonly own: string; readonly isProduction: boolean },
  faults: SettingFaults,
): readonly TrustedIssuer[] {
  if (text === undefined) return [];
  const entries = parsed(text);
  if (entries === null || entries.length > MAX_ISSUERS) {
    faults.add(`TRUSTED_ISSUERS must be JSON: a list of 1 to ${MAX_ISSUERS} objects: ${EXAMPLE}.`);
    return [];
  }
  const issuers = entries.map((entry, index) => new Entry(entry, `TRUSTED_ISSUERS, entry ${index + 1}`, faults));
  const found = issuers.map((entry) => entry.issuer(isProduction));
  requireDistinct('name', [...found.map(({ name }) => name), GATEWAY], faults);
  requireDistinct('issuer', [...found.map(({ issuer }) => issuer), own], faults);
  return found;
}

/**
 * Reads how users that the gateway names become users here: `{"groups":{"map":{"cms-admins":"admin"}}}`.
 * `null`: it names none.
 */
function gatewayUsers(text: string | undefined, faults: SettingFaults): GatewayRules | null {
  if (text === undefined) return null;
  const [fields] = parsed(`[${text}]`) ?? [];
  if (fields) return new Entry(fields, 'GATEWAY_USERS', faults).gateway();
  faults.add('GATEWAY_USERS must be JSON: GATEWAY_USERS={"groups":{"map":{"cms-admins":"admin"}}}.');
  return null;
}

/** One object of the setting, field by field. */
class Entry {
  private readonly read = new Set<string>();

  constructor(
    private readonly fields: Fields,
    private readonly place: string,
    private readonly faults: SettingFaults,
  ) {}

  issuer(isProduction: boolean): TrustedIssuer {
    const issuer: TrustedIssuer = {
      name: this.text('name', (text) => NAME.test(text), 'lower-case letters, digits and -, at most 12 characters'),
      issuer: this.text('issuer'),
      audience: this.text('audience'),
      keys: this.keys(isProduction),
      algorithms: this.algorithms(),
      clients: this.take('clients') === undefined ? null : this.texts('clients'),
      subject: this.take('subject') === undefined ? 'sub' : this.text('subject'),
      roles: this.roles(),
      scopes: this.scopes(),
      maxAgeSeconds: this.maxAge(),
      accounts: this.accounts(),
      isEmailTrusted: this.isFlagged('email_trusted'),
      isFresh: this.isFlagged('fresh'),
    };
    this.requireKnown();
    return issuer;
  }

  gateway(): GatewayRules {
    const rules: GatewayRules = {
      name: GATEWAY,
      roles: this.roles(),
      accounts: this.accounts(),
      isEmailTrusted: this.isFlagged('email_trusted'),
      isFresh: this.isFlagged('fresh'),
      ignoresCase: this.isFlagged('ignore_case'),
      saysAuthTime: this.isFlagged('auth_time'),
    };
    this.requireKnown();
    return rules;
  }

  private take(name: string): unknown {
    this.read.add(name);
    return this.fields[name];
  }

  private fault(name: string, rule: string): void {
    this.faults.add(`${this.place}: ${name} must be ${rule}.`);
  }

  private text(name: string, isFit: (text: string) => boolean = () => true, rule = 'a text'): string {
    const value = this.take(name);
    if (typeof value === 'string' && value !== '' && isFit(value)) return value;
    this.fault(name, rule);
    return '';
  }

  private texts(name: string): readonly string[] {
    const value = this.take(name);
    if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value;
    this.fault(name, 'a list of texts');
    return [];
  }

  private keys(isProduction: boolean): TrustedIssuer['keys'] {
    const [url, file] = [this.take('jwks_url'), this.take('jwks_file')];
    if (url === undefined && typeof file === 'string' && file !== '') return { file };
    if (file === undefined && typeof url === 'string' && isKeyAddress(url, isProduction)) return { url };
    this.fault('jwks_url', 'an https address, or jwks_file the path of a file: one of the two');
    return { file: '' };
  }

  private algorithms(): readonly string[] {
    const names = this.texts('algorithms');
    if (names.some((name) => !(SIGNATURES as readonly string[]).includes(name))) {
      this.fault('algorithms', `some of ${SIGNATURES.join(', ')}`);
    }
    return names;
  }

  private roles(): DirectoryRoles {
    const groups = this.take('groups') ?? {};
    const { claim = 'groups', map = {} } = groups as { claim?: unknown; map?: unknown };
    const entries = typeof map === 'object' && map !== null ? Object.entries(map) : [];
    const isFit = typeof claim === 'string' && entries.every(([, role]) => isRole(role));
    if (!isFit) this.fault('groups', `{"claim":"groups","map":{"<group>":"${ROLES.join('|')}"}}`);
    return { claim: String(claim), ofGroup: new Map(entries as [string, Role][]), otherwise: this.defaultRole() };
  }

  private defaultRole(): Role | null {
    const role = this.take('default_role') ?? null;
    if (role === null || isRole(role)) return role;
    this.fault('default_role', `null or one of ${ROLES.join(', ')}`);
    return null;
  }

  private scopes(): TrustedIssuer['scopes'] {
    const scopes = this.take('scopes');
    if (scopes === undefined) return null;
    const { claim, prefix = '' } = (scopes ?? {}) as { claim?: unknown; prefix?: unknown };
    if (typeof claim === 'string' && claim !== '' && typeof prefix === 'string') return { claim, prefix };
    this.fault('scopes', '{"claim":"scope","prefix":"cms:"}');
    return null;
  }

  private maxAge(): number {
    const age = this.take('max_age') ?? HOUR;
    if (typeof age === 'number' && Number.isInteger(age) && age >= 1 && age <= DAY) return age;
    this.fault('max_age', `a whole number of seconds from 1 to ${DAY}`);
    return HOUR;
  }

  private accounts(): IssuerRules['accounts'] {
    const accounts = this.take('accounts') ?? 'create';
    if (accounts === 'create' || accounts === 'known') return accounts;
    this.fault('accounts', 'create or known');
    return 'known';
  }

  private isFlagged(name: 'email_trusted' | 'ignore_case' | 'fresh' | 'auth_time'): boolean {
    const flag = this.take(name) ?? false;
    if (typeof flag === 'boolean') return flag;
    this.fault(name, 'true or false');
    return false;
  }

  private requireKnown(): void {
    const unknown = Object.keys(this.fields).filter((name) => !this.read.has(name));
    if (unknown.length > 0) {
      this.faults.add(`${this.place} has ${unknown.join(', ')}; it takes ${[...this.read].join(', ')}.`);
    }
  }
}

/** A list of objects; `null`: it is none, or empty. */
function parsed(text: string): readonly Fields[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.length > 0;
    return isList && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      ? (value as Fields[]) // checked just now
      : null;
  } catch {
    return null;
  }
}

/** What is answered there decides who may come in: the way must not be open to others. */
function isKeyAddress(text: string, isProduction: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && (isLoopback(hostname) || !isProduction));
  return isSafe && username + password === '' && hash === '';
}

function requireDistinct(field: string, texts: readonly string[], faults: SettingFaults): void {
  const repeated = texts.filter((text, index) => text !== '' && texts.indexOf(text) < index);
  if (repeated.length > 0) {
    faults.add(
      `TRUSTED_ISSUERS has the ${field} ${[...new Set(repeated.map(withoutUser))].join(', ')} twice, or it is the service's own.`,
    );
  }
}

function isRole(text: unknown): text is Role {
  return (ROLES as readonly unknown[]).includes(text);
}
