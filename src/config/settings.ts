import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { apiTokens } from './api-tokens-setting.js';
import { appSecret, formerSecret } from './values/app-secret.js';
import { databaseAddress, type DatabaseAddress } from './values/database-url.js';
import { egressSettings } from './values/egress-settings.js';
import { gatewaySettings } from './gateway-settings.js';
import { outsiderSettings } from './issuer-settings.js';
import { limitSettings, redisUrl } from './limit-settings.js';
import { tracingSettings } from './tracing-settings.js';
import { auditToLog, metricsPort, slowQuerySettings } from './signal-settings.js';
import { mailSettings } from './mail-settings.js';
import { requireHttps } from './values/plain-http.js';
import { publicAddress } from './public-address.js';
import { providerSettings } from './provider-settings.js';
import { pwnedUrl, signInSettings } from './sign-in-settings.js';
import { originOf, SettingReader } from './values/setting-reader.js';
import { trustProxy } from './values/trust-proxy.js';
import { unknownSettings } from './values/unknown-settings.js';

/** How the service runs. Without `NODE_ENV` it is production: nothing is made up, nothing is printed that is secret. */
const MODES = ['production', 'development', 'demo', 'test'] as const;
export type Mode = (typeof MODES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const DOCS = ['public', 'token', 'off'] as const;
/** Who reads the description of the API: everyone, callers with a token, or no one. */
export type DocsAccess = (typeof DOCS)[number];

/** Where `scripts/console.mjs` puts the console, beside the compiled service. */
const BUILT_CONSOLE = join(import.meta.dirname, '../../admin');

/** The least that OWASP recommends: 19 MiB, two passes. Tests hash some thousand passwords. */
const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Settings that do not fit. `faults` has one sentence for each, with what to do. */
export class SettingsError extends Error {
  /** @param hint what may be meant, where that is no setting that does not fit */
  constructor(
    readonly faults: readonly string[],
    readonly hint: string | null = null,
  ) {
    const lines = faults.map((fault) => `  - ${fault}`);
    super(['The settings do not fit:', ...lines, ...(hint === null ? [] : [hint])].join('\n'));
  }
}

const MODE_HINT =
  'NODE_ENV is not set, so this is production. To work on the database of npm run dev or npm run demo, set NODE_ENV=development or NODE_ENV=demo.';

/** Variables by name. One that is set to nothing counts as not set. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process over the `.env` file of the working directory, as far as there is one. */
function environment(): Environment {
  return { ...parseEnv(textOfFile(resolve('.env'))), ...process.env };
}

/** @throws {SettingsError} it is there, and this user cannot read it */
function textOfFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new SettingsError([
      `${path} cannot be read: ${code ?? String(error)}. Give the file to the user that runs the service: chown <user> ${path}`,
    ]);
  }
}

function requireAddress(reader: SettingReader, mode: Mode): void {
  if (mode === 'production' && reader.text('PUBLIC_URL') === undefined) {
    reader.fault('PUBLIC_URL is not set. It is the address that clients use: PUBLIC_URL=https://cms.example.com.');
  }
}

/** In production no file is made for an operator who forgot the address of the database. */
function databaseOf(reader: SettingReader, mode: Mode): DatabaseAddress {
  if (mode === 'production' && reader.text('DATABASE_URL') === undefined) {
    reader.fault(
      'DATABASE_URL is not set. Choose a database: DATABASE_URL=sqlite:data/cms.sqlite or DATABASE_URL=mysql://user:password@host:3306/cms.',
    );
  }
  return databaseAddress(reader, dataDirOf(reader));
}

function dataDirOf(reader: SettingReader): string {
  return reader.text('DATA_DIR') ?? 'data';
}

function corsSettings(reader: SettingReader) {
  const origins = reader.list(
    'CORS_ORIGINS',
    (entry) => originOf(entry) !== null,
    'exact origins: CORS_ORIGINS=https://app.example.com,https://www.example.com',
  );
  const isHeader = (entry: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(entry);
  return {
    corsOrigins: origins.map((entry) => originOf(entry) ?? entry),
    /** Headers that pages of those origins may send, beside those that the service reads. */
    corsHeaders: reader.list('CORS_HEADERS', isHeader, 'names of headers: CORS_HEADERS=X-Tenant,X-Client'),
  };
}

/**
 * Reads settings that are set, some of them in files. One that is set to nothing is not set.
 *
 * @throws {SettingsError} for the files alone, where one does not fit: without it the others cannot be judged
 */
function reading<Result>(
  env: Environment,
  defaultMode: Mode,
  read: (reader: SettingReader, mode: Mode) => Result,
): Result {
  const reader = new SettingReader(env);
  const mode = reader.oneOf('NODE_ENV', MODES, defaultMode);
  const result = read(reader, mode);
  const { faults, faultsOfFiles } = reader;
  if (faultsOfFiles.length > 0) throw new SettingsError(faultsOfFiles);
  if (faults.length === 0) return result;
  const isUnsaid = mode === 'production' && reader.text('NODE_ENV') === undefined;
  throw new SettingsError(faults, isUnsaid && faults.some((one) => one.includes(' is not set.')) ? MODE_HINT : null);
}

/**
 * Reads and checks all settings.
 *
 * @param defaultMode what an entry point is when `NODE_ENV` does not say otherwise
 * @throws {SettingsError} with every fault at once
 */
export function readSettings(defaultMode: Mode = 'production', source: Environment = environment()): Settings {
  const env = withoutEmpty(source);
  return { ...reading(env, defaultMode, settingsOf), warnings: unknownSettings(env) };
}

/**
 * Where the data live, for work that needs nothing but the database: it asks for no other setting.
 *
 * @throws {SettingsError} as {@link readSettings}
 */
export function readDatabase(defaultMode: Mode = 'production', source: Environment = environment()): DatabaseAddress {
  return reading(withoutEmpty(source), defaultMode, databaseOf);
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Where the service and its website are, and what people call them. */
function placeOf(reader: SettingReader, port: number) {
  const publicUrl = reader.origin('PUBLIC_URL', `http://localhost:${port}`);
  return {
    /** Origin that clients use, without a trailing slash: `https://cms.example.com`. */
    publicUrl,
    /** Origin of the website that shows the records: their addresses begin with it. */
    siteUrl: reader.origin('SITE_URL', publicUrl),
    /** What people know the service by, in mails and on pages. */
    siteName: reader.line('SITE_NAME', new URL(publicUrl).host),
  };
}

function requireAddresses(reader: SettingReader, mode: Mode): void {
  requireAddress(reader, mode);
  requireHttps(reader, mode === 'production');
}

/** What is read under the names of settings. */
function settingsOf(reader: SettingReader, mode: Mode) {
  const isProduction = mode === 'production';
  requireAddresses(reader, mode);
  const port = reader.integer('PORT', 3000, { min: 0, max: 65_535 });
  const place = placeOf(reader, port);
  const gateway = gatewaySettings(reader);
  const address = publicAddress({ publicUrl: place.publicUrl, gateway }, '');
  return {
    mode,
    /** TCP port; 0 lets the system choose one. */
    port,
    // A demo prints a token in its first lines: it is for this machine alone.
    host: reader.text('HOST') ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    database: databaseOf(reader, mode),
    /** Folder for everything the service keeps beside the database. */
    dataDir: dataDirOf(reader),
    ...place,
    /** Key material for everything that is signed or encrypted; at least 32 bytes. */
    appSecret: appSecret(reader, isProduction),
    /** The secret before `appSecret`: what it has sealed and signed can still be read. */
    formerSecret: formerSecret(reader),
    apiTokens: apiTokens(reader),
    /** General request limits; the per-account limits of signing in stay on regardless. */
    limits: limitSettings(reader),
    /** Days for which the audit keeps an event; 0: for ever. */
    auditRetentionDays: reader.integer('AUDIT_RETENTION_DAYS', 365, { min: 0, max: 36_500 }),
    trustProxy: trustProxy(reader),
    gateway,
    outsiders: outsiderSettings(reader, { own: reader.text('JWT_ISSUER') ?? address, isProduction }),
    ...corsSettings(reader),
    mail: mailSettings(reader, place),
    signIn: signInSettings(reader, address),
    /** Of Argon2id; the memory in KiB. */
    passwordCost: PASSWORD_COST,
    /** Where ranges of leaked passwords are found, with a slash at the end; `null`: new passwords are not looked for there. */
    pwnedUrl: pwnedUrl(reader),
    providers: providerSettings(reader, isProduction),
    docs: reader.oneOf('DOCS', DOCS, 'public'),
    /** Folder of the built console, which may be missing; `null`: the console is switched off. */
    consoleFolder: reader.oneOf('CONSOLE', ['on', 'off'], 'on') === 'on' ? BUILT_CONSOLE : null,
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, mode === 'test' ? 'silent' : 'info'),
    slowQueries: slowQuerySettings(reader),
    /** How long a stop goes on taking requests, seconds. */
    drainDelaySeconds: reader.integer('DRAIN_DELAY_S', 0, { min: 0, max: 60 }),
    /** Whether each event of the audit is a line of the log too. */
    isAuditLogged: auditToLog(reader),
    /** TCP port of the metrics; 0 lets the system choose one, `null`: nothing is measured. */
    metricsPort: metricsPort(reader, port),
    /** Where traces go; `null`: nothing is recorded. */
    tracing: tracingSettings(reader),
    /** Where all instances count requests together; `null`: each counts for itself. */
    redisUrl: redisUrl(reader),
    egress: egressSettings(reader),
  };
}

/** All settings, and sentences about variables that look like settings and are none. */
type AllSettings = ReturnType<typeof settingsOf> & { readonly warnings: readonly string[] };

/** Everything an operator can set, checked once at start. */
export class Settings extends (Object as unknown as new () => AllSettings) {}
