import { createPrivateKey } from 'node:crypto';
import { directorySettings } from './directory-settings.js';
import { isOpen, plainAddress, withoutUser } from './values/addresses.js';
import type { SettingReader } from './values/setting-reader.js';

export const PROVIDER_NAMES = ['google', 'apple', 'oidc'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export interface ProviderEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  readonly issuers: readonly string[];
}

export type GoogleSettings = NonNullable<ReturnType<ProviderReader['google']>>;
export type AppleSettings = NonNullable<ReturnType<ProviderReader['apple']>>;
export type OidcSettings = NonNullable<ReturnType<ProviderReader['oidc']>>;

/** Sign-in with identity providers; `null`: not set up. */
export type ProviderSettings = ReturnType<typeof providerSettings>;

/** True if people can sign in with a provider: it is set up, and not by what stands in its place outside of production. */
export function isSetUp(name: ProviderName, providers: ProviderSettings): boolean {
  const clientId = providers[name]?.clientId;
  return clientId !== undefined && !Object.values(PLACEHOLDERS).includes(clientId);
}

/** The owner of the identities of the OpenID Connect provider; empty: there is no such provider. */
export function oidcIssuer({ oidc }: ProviderSettings): string {
  return oidc?.issuer ?? '';
}

const GOOGLE: ProviderEndpoints = {
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
};

const APPLE: ProviderEndpoints = {
  authorizationUrl: 'https://appleid.apple.com/auth/authorize',
  tokenUrl: 'https://appleid.apple.com/auth/token',
  jwksUrl: 'https://appleid.apple.com/auth/keys',
  issuers: ['https://appleid.apple.com', 'https://account.apple.com'],
};

const EXAMPLES = {
  GOOGLE_CLIENT_ID: '1234567890-abc.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: '<secret>',
  APPLE_CLIENT_ID: 'com.example.cms',
  APPLE_TEAM_ID: 'A1B2C3D4E5',
  APPLE_KEY_ID: 'F6G7H8I9J0',
  APPLE_PRIVATE_KEY: '"-----BEGIN PRIVATE KEY-----\\n…\\n-----END PRIVATE KEY-----"',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'cms',
  OIDC_CLIENT_SECRET: '<secret>',
} as const;
type Credential = keyof typeof EXAMPLES;

/** Not for production: with these a sign-in can be begun, to see that it is there, and never ends well. */
const PLACEHOLDERS: Readonly<Partial<Record<Credential, string>>> = {
  GOOGLE_CLIENT_ID: 'placeholder.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'placeholder',
  APPLE_CLIENT_ID: 'com.example.placeholder',
  APPLE_TEAM_ID: 'PLACEHOLDR',
  APPLE_KEY_ID: 'PLACEHOLDR',
  APPLE_PRIVATE_KEY: 'placeholder',
};

const MAX_ISSUER = 255;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;
const OPEN_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Schemes of apps have a dot (RFC 8252, 7.1), so neither `javascript:` nor `data:` can be among them. */
const REDIRECT_SCHEME = /^(?:https?|[a-z][a-z0-9+-]*\.[a-z0-9+.-]*):$/;

export function providerSettings(reader: SettingReader, isProduction: boolean) {
  const providers = new ProviderReader(reader, isProduction);
  return {
    google: providers.google(),
    apple: providers.apple(),
    oidc: providers.oidc(),
    /** Addresses that a sign-in may lead back to, exactly as they are asked for. */
    redirectAllowList: reader.list(
      'REDIRECT_ALLOW_LIST',
      (entry) => !entry.includes('*') && !entry.endsWith('#') && plainAddress(entry, REDIRECT_SCHEME) !== null,
      'whole addresses: REDIRECT_ALLOW_LIST=https://console.example.com/signed-in,com.example.app:/signed-in',
    ),
  };
}

class ProviderReader {
  constructor(
    private readonly reader: SettingReader,
    private readonly isProduction: boolean,
  ) {}

  google() {
    const client = this.credentials('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
    const rest = {
      /** The names of the apps there whose id_tokens are taken, too. */
      nativeClientIds: this.reader.list('GOOGLE_NATIVE_CLIENT_IDS'),
      /** The operator's own domains there, in lower case: their addresses link any account. */
      domains: this.ownDomains(),
      ...this.endpoints('GOOGLE', GOOGLE),
    };
    return client && { clientId: client.GOOGLE_CLIENT_ID, clientSecret: client.GOOGLE_CLIENT_SECRET, ...rest };
  }

  apple() {
    const client = this.credentials('APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY');
    const rest = {
      nativeClientIds: this.reader.list('APPLE_NATIVE_CLIENT_IDS'),
      ...this.endpoints('APPLE', APPLE),
    };
    return (
      client && {
        clientId: client.APPLE_CLIENT_ID,
        teamId: client.APPLE_TEAM_ID,
        keyId: client.APPLE_KEY_ID,
        /** PKCS #8 in PEM, on the curve P-256. */
        privateKey: this.privateKey(client.APPLE_PRIVATE_KEY),
        ...rest,
      }
    );
  }

  oidc() {
    const client = this.credentials('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
    const rest = {
      nativeClientIds: this.reader.list('OIDC_NATIVE_CLIENT_IDS'),
      ...directorySettings(this.reader),
    };
    return (
      client && {
        issuer: this.issuer(client.OIDC_ISSUER),
        clientId: client.OIDC_CLIENT_ID,
        clientSecret: client.OIDC_CLIENT_SECRET,
        ...rest,
      }
    );
  }

  private ownDomains(): readonly string[] {
    const isOwn = (domain: string): boolean => DOMAIN.test(domain) && !OPEN_DOMAINS.has(domain);
    const takes = 'domains of your own at Google Workspace: GOOGLE_DOMAINS=corp.example';
    const domains = this.reader.list('GOOGLE_DOMAINS', (entry) => isOwn(entry.toLowerCase()), takes);
    return domains.map((domain) => domain.toLowerCase());
  }

  /** All of them or none: half of a client is a mistake. */
  private credentials<Name extends Credential>(...names: Name[]): Record<Name, string> | null {
    const missing = names.filter((name) => this.reader.text(name) === undefined);
    const areMissing = missing.length === names.length;
    if (areMissing && (this.isProduction || !names.every((name) => name in PLACEHOLDERS))) return null;
    for (const name of areMissing ? [] : missing) {
      const others = names.filter((other) => !missing.includes(other)).join(' and ');
      this.reader.fault(`${name} is not set, and ${others} is. Set it too: ${name}=${EXAMPLES[name]}.`);
    }
    const entries = names.map((name) => [name, (areMissing ? PLACEHOLDERS[name] : this.reader.text(name)) ?? '']);
    return Object.fromEntries(entries) as Record<Name, string>; // one entry for each of the names
  }

  private endpoints(prefix: 'GOOGLE' | 'APPLE', usual: ProviderEndpoints): ProviderEndpoints {
    const url = (name: string, fallback: string): string => this.url(name, this.reader.text(name) ?? fallback);
    const issuers = this.reader.list(`${prefix}_ISSUERS`);
    return {
      authorizationUrl: url(`${prefix}_AUTHORIZATION_URL`, usual.authorizationUrl),
      tokenUrl: url(`${prefix}_TOKEN_URL`, usual.tokenUrl),
      jwksUrl: url(`${prefix}_JWKS_URL`, usual.jwksUrl),
      issuers: issuers.length > 0 ? issuers : usual.issuers,
    };
  }

  /** It is kept with each identity. */
  private issuer(text: string): string {
    if (text.length > MAX_ISSUER) {
      this.reader.fault(`OIDC_ISSUER has ${text.length} characters and may have ${MAX_ISSUER} at most.`);
    }
    return this.url('OIDC_ISSUER', text);
  }

  private url(name: string, text: string): string {
    const url = plainAddress(text);
    const shown = `${name} is "${withoutUser(text)}"`;
    if (!url) this.reader.fault(`${shown} and must be an https address: ${name}=https://login.example.com.`);
    else if (this.isProduction && isOpen(url))
      this.reader.fault(`${shown}: over plain http anybody on the way could sign in. Use https.`);
    return text;
  }

  /** A PEM text on one line, with `\n` for the ends of lines, is what most places that hold settings make of it. */
  private privateKey(text: string): string {
    const pem = text.replaceAll('\\n', '\n');
    if (text !== PLACEHOLDERS.APPLE_PRIVATE_KEY && !isP256(pem)) {
      this.reader.fault(
        `APPLE_PRIVATE_KEY is no private key on P-256. Use the .p8 file of Apple: APPLE_PRIVATE_KEY=${EXAMPLES.APPLE_PRIVATE_KEY}.`,
      );
    }
    return pem;
  }
}

function isP256(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
