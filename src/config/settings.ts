import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { apiTokens } from './api-tokens-setting.js';
import { appSecret, formerSecret } from './values/app-secret.js';
import { databaseAddress, type DatabaseAddress } from './values/database-url.js';
import { gatewaySettings } from './gateway-settings.js';
import { outsiderSettings } from './issuer-settings.js';
import { limitSettings, redisUrl } from './limit-settings.js';
import { tracingSettings } from './tracing-settings.js';
import { mailSettings } from './mail-settings.js';
import { isOpen, withoutUser } from './values/addresses.js';
import { publicAddress } from './public-address.js';
import { providerSettings } from './provider-settings.js';
import { pwnedUrl, signInSettings } from './sign-in-settings.js';
import { originOf, SettingReader } from './values/setting-reader.js';
import { trustProxy } from './values/trust-proxy.js';
import { unknownSettings } from './values/unknown-settings.js';

/** The modes of the service. Without `NODE_ENV` it is production: nothing is made up, nothing is printed that is secret. */
const MODES = ['production', 'development', 'demo', 'test'] as const;
export type Mode = (typeof MODES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const DOCS = ['public', 'token', 'off'] as const;
export type DocsAccess = (typeof DOCS)[number];

/** The folder into which `scripts/console.mjs` puts the console, beside the compiled service. */
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

function corsOrigins(reader: SettingReader): readonly string[] {
  const origins = reader.list(
    'CORS_ORIGINS',
    (entry) => originOf(entry) !== null,
    'exact origins: CORS_ORIGINS=https://app.example.com,https://www.example.com',
  );
  return origins.map((entry) => originOf(entry) ?? entry);
}

/** Reads settings. @throws {SettingsError} of files alone, if one does not fit: the others cannot be judged without it */
function reading<Result>(
  reader: SettingReader,
  defaultMode: Mode,
  read: (reader: SettingReader, mode: Mode) => Result,
): Result {
  const mode = reader.oneOf('NODE_ENV', MODES, defaultMode);
  const result = read(reader, mode);
  const { faults, faultsOfFiles } = reader;
  if (faultsOfFiles.length > 0) throw new SettingsError(faultsOfFiles);
  if (faults.length === 0) return result;
  const isUnsaid = mode === 'production' && reader.text('NODE_ENV') === undefined;
  throw new SettingsError(faults, isUnsaid && faults.some((one) => one.includes(' is not set.')) ? MODE_HINT : null);
}

/**
 * Reads and checks all settings. @param defaultMode for an entry point without `NODE_ENV`
 * @throws {SettingsError} with every fault at once
 */
export function readSettings(defaultMode: Mode = 'production', source: Environment = environment()): Settings {
  const env = withoutEmpty(source);
  const reader = new SettingReader(env);
  return { ...reading(reader, defaultMode, settingsOf), warnings: unknownSettings(env, reader.names) };
}

/** Reads the place of the data, and no other setting. @throws {SettingsError} as {@link readSettings} */
export function readDatabase(defaultMode: Mode = 'production', source: Environment = environment()): DatabaseAddress {
  return reading(new SettingReader(withoutEmpty(source)), defaultMode, databaseOf);
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Reads where the service and its website are, and who sends its mails. */
function addressesOf(reader: SettingReader, port: number) {
  const publicUrl = reader.origin('PUBLIC_URL', `http://localhost:${port}`);
  const mail = mailSettings(reader, publicUrl);
  return {
    /** Origin that clients use, without a trailing slash: `https://cms.example.com`. */
    publicUrl,
    /** Origin of the website that shows the records: their addresses begin with it. */
    siteUrl: reader.origin('SITE_URL', publicUrl),
    mail,
    /** The name that people know the service by, in mails and on pages: the name of the sender of its mails. */
    siteName: mail.from.name === '' ? new URL(publicUrl).host : mail.from.name,
  };
}

/** Settings with addresses that browsers are sent to, whose pages may hold tokens, or that learn of new passwords. */
const OPEN_TO_BROWSERS = ['PUBLIC_URL', 'MAGIC_LINK_URL', 'CORS_ORIGINS', 'REDIRECT_ALLOW_LIST', 'PWNED_CHECK'];

/** Refuses plain http in production, except on this machine and with `ALLOW_HTTP=yes`. Schemes of apps pass no network. */
function requireHttps(reader: SettingReader, isProduction: boolean): void {
  const isAllowed = reader.oneOf('ALLOW_HTTP', ['yes', 'no'], 'no') === 'yes';
  if (!isProduction || isAllowed) return;
  for (const name of OPEN_TO_BROWSERS) {
    for (const address of reader.list(name).filter((one) => URL.canParse(one) && isOpen(new URL(one)))) {
      reader.fault(
        `${name} has ${withoutUser(address)}: over plain http, tokens and passwords can be read on the way. Use https, or set ALLOW_HTTP=yes on a network of your own.`,
      );
    }
  }
}

const METRICS_EXAMPLE = 9464;
/** Levels that leave lines of the audit out. */
const ABOVE_INFO: readonly (string | undefined)[] = ['fatal', 'error', 'warn', 'silent'];

/** @param port that of the service, which is public and the metrics are not */
function metricsPort(reader: SettingReader, port: number): number | null {
  if (reader.text('METRICS_PORT') === undefined) return null;
  const found = reader.integer('METRICS_PORT', METRICS_EXAMPLE, { min: 0, max: 65_535 });
  if (found !== 0 && found === port)
    reader.fault(
      `METRICS_PORT is ${found}, as PORT is. Metrics need a port of their own: METRICS_PORT=${METRICS_EXAMPLE}.`,
    );
  return found;
}

/** True if each event of the audit is a line of the log too, which has to be one that is written. */
function auditToLog(reader: SettingReader): boolean {
  const isOn = reader.oneOf('AUDIT_TO_LOG', ['yes', 'no'], 'no') === 'yes';
  const level = reader.text('LOG_LEVEL');
  if (isOn && ABOVE_INFO.includes(level))
    reader.fault(`AUDIT_TO_LOG is yes, and LOG_LEVEL=${level ?? ''} leaves its lines out. Set LOG_LEVEL=info.`);
  return isOn;
}

const SLOW_MS = 500;

function slowQuerySettings(reader: SettingReader) {
  const limitMs = reader.integer('SLOW_QUERY_MS', SLOW_MS, { min: 0, max: 60_000 });
  return {
    /** Milliseconds; 0: none. */
    limitMs,
    /** True if their requests are to be known whatever that costs, since they were asked for by name. */
    areTracked: reader.text('SLOW_QUERY_MS') !== undefined && limitMs > 0,
  };
}

function requireAddresses(reader: SettingReader, mode: Mode): void {
  const isProduction = mode === 'production';
  if (isProduction && reader.text('PUBLIC_URL') === undefined) {
    reader.fault('PUBLIC_URL is not set. It is the address that clients use: PUBLIC_URL=https://cms.example.com.');
  }
  requireHttps(reader, isProduction);
}

function settingsOf(reader: SettingReader, mode: Mode) {
  const isProduction = mode === 'production';
  requireAddresses(reader, mode);
  const port = reader.integer('PORT', 3000, { min: 0, max: 65_535 });
  const addresses = addressesOf(reader, port);
  const gateway = gatewaySettings(reader);
  const address = publicAddress({ publicUrl: addresses.publicUrl, gateway }, '');
  return {
    mode,
    /** TCP port; 0 lets the system choose one. */
    port,
    // A demo prints a token in its first lines: it is for this machine alone.
    host: reader.text('HOST') ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    database: databaseOf(reader, mode),
    /** Folder for everything the service keeps beside the database. */
    dataDir: dataDirOf(reader),
    ...addresses,
    /** Key material for everything that is signed or encrypted; at least 32 bytes. */
    appSecret: appSecret(reader, isProduction),
    /** The secret before `appSecret`: what it has sealed and signed can still be read. */
    formerSecret: formerSecret(reader),
    apiTokens: apiTokens(reader),
    ...limitSettings(reader),
    /** Days for which the audit keeps an event; 0: for ever. */
    auditRetentionDays: reader.integer('AUDIT_RETENTION_DAYS', 365, { min: 0, max: 36_500 }),
    trustProxy: trustProxy(reader),
    gateway,
    outsiders: outsiderSettings(reader, { own: reader.text('JWT_ISSUER') ?? address, isProduction }),
    corsOrigins: corsOrigins(reader),
    signIn: signInSettings(reader, address),
    /** The cost of Argon2id; the memory in KiB. */
    passwordCost: PASSWORD_COST,
    /** The address of ranges of leaked passwords, with a slash at the end; `null`: new passwords are not looked for there. */
    pwnedUrl: pwnedUrl(reader),
    providers: providerSettings(reader, isProduction),
    docs: reader.oneOf('DOCS', DOCS, 'public'),
    /** Folder of the built console, which may be missing. */
    consoleFolder: BUILT_CONSOLE,
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, mode === 'test' ? 'silent' : 'info'),
    slowQueries: slowQuerySettings(reader),
    /** The time for which a stop goes on taking requests, seconds. */
    drainDelaySeconds: reader.integer('DRAIN_DELAY_S', 0, { min: 0, max: 60 }),
    isAuditLogged: auditToLog(reader),
    /** TCP port of the metrics; 0 lets the system choose one, `null`: none can be read. */
    metricsPort: metricsPort(reader, port),
    /** The destination of traces; `null`: nothing is recorded. */
    tracing: tracingSettings(reader),
    /** The address at which all instances count requests together; `null`: each counts for itself. */
    redisUrl: redisUrl(reader),
  };
}

/** All settings, and sentences about variables that look like settings and are none. */
type AllSettings = ReturnType<typeof settingsOf> & { readonly warnings: readonly string[] };

/** Everything an operator can set, checked once at start. */
export class Settings extends (Object as unknown as new () => AllSettings) {}
