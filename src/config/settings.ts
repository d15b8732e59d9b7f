import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { apiTokens, type ConfiguredToken } from './api-tokens-setting.js';
import { appSecret, formerSecret } from './values/app-secret.js';
import { DATABASE_POOL, databaseUrl, type DatabaseAddress } from './values/database-url.js';
import type { Budgets } from '../common/rate-limits/budgets.js';
import { egressSettings, type EgressSettings } from './values/egress-settings.js';
import { gatewaySettings, type GatewaySettings } from './gateway-settings.js';
import { outsiderSettings, type OutsiderSettings } from './issuer-settings.js';
import { limitSettings } from './limit-settings.js';
import { tracingSettings, type TracingSettings } from './tracing-settings.js';
import { auditToLog, metricsPort, slowQuerySettings, type SlowQuerySettings } from './signal-settings.js';
import { mailSettings, type MailSettings } from './mail-settings.js';
import { redisUrl } from './redis-setting.js';
import { requireHttps } from './values/plain-http.js';
import { publicAddress } from './public-address.js';
import { providerSettings, type ProviderSettings } from './provider-settings.js';
import { withSettingFiles } from './values/setting-files.js';
import { pwnedUrl } from './pwned-setting.js';
import { signInSettings, type SignInSettings } from './sign-in-settings.js';
import { headerNames, integer, oneLine, oneOf, origin, origins } from './values/setting-parsers.js';
import { SettingFaults } from './values/setting-faults.js';
import { trustProxy, type TrustProxy } from './values/trust-proxy.js';
import { unknownSettings } from './values/unknown-settings.js';

/** How the service runs. Without `NODE_ENV` it is production: nothing is made up, nothing is printed that is secret. */
const MODES = ['production', 'development', 'demo', 'test'] as const;
export type Mode = (typeof MODES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DOCS = ['public', 'token', 'off'] as const;
/** Who reads the description of the API: everyone, callers with a token, or no one. */
export type DocsAccess = (typeof DOCS)[number];

/** Where `scripts/console.mjs` puts the console, beside the compiled service. */
const BUILT_CONSOLE = join(import.meta.dirname, '../../admin');

/** The least that OWASP recommends: 19 MiB, two passes. Tests hash some thousand passwords. */
const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Everything an operator can set, checked once at start. */
export class Settings {
  mode: Mode;
  /** TCP port; 0 lets the system choose one. */
  port: number;
  host: string;
  database: DatabaseAddress;
  /** Folder for everything the service keeps beside the database. */
  dataDir: string;
  /** Origin that clients use, without a trailing slash: `https://cms.example.com`. */
  publicUrl: string;
  /** Origin of the website that shows the records: their addresses begin with it. */
  siteUrl: string;
  /** What people know the service by, in mails and on pages. */
  siteName: string;
  /** Key material for everything that is signed or encrypted; at least 32 bytes. */
  appSecret: string;
  /** The secret before `appSecret`: what it has sealed and signed can still be read. */
  formerSecret: string | null;
  apiTokens: readonly ConfiguredToken[];
  /** General request limits; the per-account limits of signing in stay on regardless. */
  limits: Budgets;
  /** Days for which the audit keeps an event; 0: for ever. */
  auditRetentionDays: number;
  trustProxy: TrustProxy;
  gateway: GatewaySettings;
  outsiders: OutsiderSettings;
  corsOrigins: readonly string[];
  /** Headers that pages of those origins may send, beside those that the service reads. */
  corsHeaders: readonly string[];
  mail: MailSettings;
  signIn: SignInSettings;
  /** Of Argon2id; the memory in KiB. */
  passwordCost: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };
  /** Where ranges of leaked passwords are found, with a slash at the end; `null`: new passwords are not looked for there. */
  pwnedUrl: string | null;
  providers: ProviderSettings;
  docs: DocsAccess;
  /** Folder of the built console, which may be missing; `null`: the console is switched off. */
  consoleFolder: string | null;
  logLevel: LogLevel;
  slowQueries: SlowQuerySettings;
  /** How long a stop goes on taking requests, seconds. */
  drainDelaySeconds: number;
  /** Whether each event of the audit is a line of the log too. */
  isAuditLogged: boolean;
  /** TCP port of the metrics; 0 lets the system choose one, `null`: nothing is measured. */
  metricsPort: number | null;
  /** Where traces go; `null`: nothing is recorded. */
  tracing: TracingSettings | null;
  /** Where all instances count requests together; `null`: each counts for itself. */
  redisUrl: string | null;
  egress: EgressSettings;
  /** Sentences about variables that look like settings and are none. */
  warnings: readonly string[];
}

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

function requireAddress(env: Environment, mode: Mode, faults: SettingFaults): void {
  if (mode === 'production' && !env.PUBLIC_URL) {
    faults.add('PUBLIC_URL is not set. It is the address that clients use: PUBLIC_URL=https://cms.example.com.');
  }
}

/** As many as there may be, a unit of work needs one, and what is beside the requests another one. */
const POOL_LIMITS = { min: 2, max: 200 };

/** In production no file is made for an operator who forgot the address of the database. */
function databaseOf(env: Environment, mode: Mode, faults: SettingFaults): DatabaseAddress {
  if (mode === 'production' && env.DATABASE_URL === undefined) {
    faults.add(
      'DATABASE_URL is not set. Choose a database: DATABASE_URL=sqlite:data/cms.sqlite or DATABASE_URL=mysql://user:password@host:3306/cms.',
    );
  }
  const address = databaseUrl(env.DATABASE_URL ?? `sqlite:${dataDirOf(env)}/cms.sqlite`, env.DATABASE_TLS, faults);
  if (address.kind === 'sqlite') return address;
  return { ...address, pool: integer('DATABASE_POOL', env.DATABASE_POOL, DATABASE_POOL, POOL_LIMITS, faults) };
}

function corsSettings(env: Environment, faults: SettingFaults): Pick<Settings, 'corsOrigins' | 'corsHeaders'> {
  return {
    corsOrigins: origins('CORS_ORIGINS', env.CORS_ORIGINS, faults),
    corsHeaders: headerNames('CORS_HEADERS', env.CORS_HEADERS, faults),
  };
}

/** What the service shows beside its API. */
function pagesOf(env: Environment, faults: SettingFaults): Pick<Settings, 'docs' | 'consoleFolder'> {
  const hasConsole = oneOf('CONSOLE', ['on', 'off'] as const, env.CONSOLE, 'on', faults) === 'on';
  return {
    docs: oneOf('DOCS', DOCS, env.DOCS, 'public', faults),
    consoleFolder: hasConsole ? BUILT_CONSOLE : null,
  };
}

function dataDirOf({ DATA_DIR }: Environment): string {
  return DATA_DIR ?? 'data';
}

/** A demo prints a token in its first lines: it is for this machine alone. */
function hostOf(mode: Mode): string {
  return mode === 'demo' ? '127.0.0.1' : '0.0.0.0';
}

function logLevelOf(mode: Mode): LogLevel {
  return mode === 'test' ? 'silent' : 'info';
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/**
 * Reads settings that are set, some of them in files.
 *
 * @throws {SettingsError} for the files alone, where one does not fit: without it the others cannot be judged
 */
function reading<Result>(
  source: Environment,
  defaultMode: Mode,
  read: (env: Environment, mode: Mode, faults: SettingFaults) => Result,
): Result {
  const [ofFiles, faults] = [new SettingFaults(), new SettingFaults()];
  const env = withSettingFiles(withoutEmpty(source), ofFiles);
  const mode = oneOf('NODE_ENV', MODES, env.NODE_ENV, defaultMode, faults);
  const result = read(env, mode, faults);
  if (ofFiles.all.length > 0) throw new SettingsError(ofFiles.all);
  requireNone(faults, env, mode);
  return result;
}

/**
 * Reads and checks all settings.
 *
 * @param defaultMode what an entry point is when `NODE_ENV` does not say otherwise
 * @throws {SettingsError} with every fault at once
 */
export function readSettings(defaultMode: Mode = 'production', source: Environment = environment()): Settings {
  return reading(source, defaultMode, (env, mode, faults) => ({
    ...settingsOf(env, mode, faults),
    warnings: unknownSettings(env),
  }));
}

/** Where the service and its website are, and what people call them. */
function placeOf(
  env: Environment,
  port: number,
  faults: SettingFaults,
): Pick<Settings, 'publicUrl' | 'siteUrl' | 'siteName'> {
  const publicUrl = origin('PUBLIC_URL', env.PUBLIC_URL, `http://localhost:${port}`, faults);
  return {
    publicUrl,
    siteUrl: origin('SITE_URL', env.SITE_URL, publicUrl, faults),
    siteName: oneLine('SITE_NAME', env.SITE_NAME, new URL(publicUrl).host, faults),
  };
}

/** What the service connects to for itself. */
function networkOf(env: Environment, faults: SettingFaults): Pick<Settings, 'tracing' | 'redisUrl' | 'egress'> {
  return {
    tracing: tracingSettings(env, faults),
    redisUrl: redisUrl(env.REDIS_URL, faults),
    egress: egressSettings(env, faults),
  };
}

function settingsOf(env: Environment, mode: Mode, faults: SettingFaults): Omit<Settings, 'warnings'> {
  requireAddress(env, mode, faults);
  requireHttps(env, mode === 'production', faults);

  const port = integer('PORT', env.PORT, 3000, { min: 0, max: 65_535 }, faults);
  const place = placeOf(env, port, faults);
  const { publicUrl } = place;
  const gateway = gatewaySettings(env, faults);
  const address = publicAddress({ publicUrl, gateway }, '');
  const areRequestsLimited = oneOf('RATE_LIMITS', ['on', 'off'] as const, env.RATE_LIMITS, 'on', faults) === 'on';
  return {
    mode,
    port,
    host: env.HOST ?? hostOf(mode),
    database: databaseOf(env, mode, faults),
    dataDir: dataDirOf(env),
    ...place,
    appSecret: appSecret(env.APP_SECRET, mode === 'production', faults),
    formerSecret: formerSecret(env.APP_SECRET_OLD, env, faults),
    apiTokens: apiTokens(env.API_TOKENS, faults),
    limits: limitSettings(env, areRequestsLimited, faults),
    auditRetentionDays: integer('AUDIT_RETENTION_DAYS', env.AUDIT_RETENTION_DAYS, 365, { min: 0, max: 36_500 }, faults),
    trustProxy: trustProxy(env.TRUST_PROXY, faults),
    gateway,
    outsiders: outsiderSettings(env, { own: env.JWT_ISSUER ?? address, isProduction: mode === 'production' }, faults),
    ...corsSettings(env, faults),
    mail: mailSettings(env, place, faults),
    signIn: signInSettings(env, address, faults),
    passwordCost: PASSWORD_COST,
    pwnedUrl: pwnedUrl(env, faults),
    providers: providerSettings(env, mode === 'production', faults),
    ...pagesOf(env, faults),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, env.LOG_LEVEL, logLevelOf(mode), faults),
    slowQueries: slowQuerySettings(env, faults),
    drainDelaySeconds: integer('DRAIN_DELAY_S', env.DRAIN_DELAY_S, 0, { min: 0, max: 60 }, faults),
    isAuditLogged: auditToLog(env, faults),
    metricsPort: metricsPort(env.METRICS_PORT, port, faults),
    ...networkOf(env, faults),
  };
}

/**
 * Where the data live, for work that needs nothing but the database: it asks for no other setting.
 *
 * @throws {SettingsError} as {@link readSettings}
 */
export function readDatabase(
  defaultMode: Mode = 'production',
  source: Environment = environment(),
): Settings['database'] {
  return reading(source, defaultMode, databaseOf);
}

function requireNone({ all }: SettingFaults, { NODE_ENV }: Environment, mode: Mode): void {
  if (all.length === 0) return;
  const isUnsaid = mode === 'production' && NODE_ENV === undefined;
  throw new SettingsError(all, isUnsaid && all.some((fault) => fault.includes(' is not set.')) ? MODE_HINT : null);
}
