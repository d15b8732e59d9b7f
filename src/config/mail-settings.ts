import { isIP } from 'node:net';
import { isMailAddress } from '../common/text/mail-address.js';
import { hasLineControls } from '../common/text/one-line.js';
import { percentDecoded, strayPercent } from './urls/percent-decoded.js';
import { isLoopback } from './values/loopback.js';
import { MAX_NAME, oneOf } from './values/setting-parsers.js';
import type { SettingFaults } from './values/setting-faults.js';

const TRANSPORTS = ['smtp', 'file', 'log'] as const;
/** Where mails go: to a mail server, into the folder `outbox`, or nowhere but into a line of the log. */
type MailTransportKind = (typeof TRANSPORTS)[number];

/** A mail server and how to talk to it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte; otherwise as soon as the server offers it. */
  readonly secure: boolean;
  /** Whether to send nothing without encryption. */
  readonly requireTLS: boolean;
  readonly verifiesCertificate: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** Without user and password, for people. */
  readonly label: string;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** How the service sends mail. */
export interface MailSettings {
  readonly transport: MailTransportKind;
  /** `null` where mails go elsewhere. */
  readonly smtp: SmtpServer | null;
  readonly from: MailSender;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What mails say of the service. */
interface Own {
  readonly publicUrl: string;
  readonly siteName: string;
}

const SMTP_EXAMPLE = 'SMTP_URL=smtp://user:password@mail.example.com:587';
const FROM_EXAMPLE = 'MAIL_FROM=Example <no-reply@example.com>';
/** What may stand behind the `?` of `SMTP_URL`, as nodemailer calls it. */
const OPTIONS: readonly string[] = ['requireTLS', 'tls.rejectUnauthorized'];

/** Reads everything about mail. */
export function mailSettings(env: Environment, own: Own, faults: SettingFaults): MailSettings {
  const smtp = env.SMTP_URL === undefined ? null : smtpServer(env.SMTP_URL, faults);
  const fallback = env.SMTP_URL === undefined ? 'file' : 'smtp';
  const transport = oneOf('MAIL_TRANSPORT', TRANSPORTS, env.MAIL_TRANSPORT, fallback, faults);
  if (transport === 'smtp' && env.SMTP_URL === undefined) {
    faults.add(`MAIL_TRANSPORT is smtp and SMTP_URL is not set. Name the mail server: ${SMTP_EXAMPLE}.`);
  }
  const from = sender(env.MAIL_FROM, own, faults);
  return { transport, smtp: transport === 'smtp' ? smtp : null, from };
}

/** A fault never repeats the value: it may hold a password. */
function smtpServer(text: string, faults: SettingFaults): SmtpServer | null {
  const url = serverUrl(text);
  if (!url) {
    faults.add(`SMTP_URL is not the address of a mail server. Use ${SMTP_EXAMPLE}, or smtps:// for port 465.`);
    return null;
  }
  const auth = credentials(url, faults);
  const { requireTLS, verifies } = options(url, faults);
  // A password that leaves this machine is encrypted, unless the operator says otherwise.
  const isGuarded = auth !== null && auth.pass !== '' && !isLoopback(url.hostname);
  const secure = url.protocol === 'smtps:';
  const port = Number(url.port) || (secure ? 465 : 587);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    secure,
    requireTLS: requireTLS ?? isGuarded,
    verifiesCertificate: verifies,
    auth,
    label: `${url.protocol}//${url.hostname}:${port}`,
  };
}

function serverUrl(text: string): URL | null {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isServer = url.hostname !== '' && ['', '/'].includes(url.pathname) && url.hash === '';
  return isServer ? url : null;
}

function credentials({ username, password }: URL, faults: SettingFaults): SmtpServer['auth'] {
  if (username === '' && password === '') return null;
  const [user, pass] = [percentDecoded(username), percentDecoded(password)];
  if (user !== null && pass !== null) return { user, pass };
  faults.add(strayPercent('SMTP_URL', 'smtp://user:100%25@mail.example.com:587'));
  return null;
}

function options({ searchParams }: URL, faults: SettingFaults): { requireTLS: boolean | null; verifies: boolean } {
  const isFit = [...searchParams].every(([key, value]) => OPTIONS.includes(key) && ['true', 'false'].includes(value));
  if (!isFit) {
    faults.add(
      `SMTP_URL takes ${OPTIONS.join(' and ')} behind a question mark, each true or false: ${SMTP_EXAMPLE}?requireTLS=true.`,
    );
  }
  const requireTLS = searchParams.get('requireTLS');
  return {
    requireTLS: requireTLS === null ? null : requireTLS === 'true',
    verifies: searchParams.get('tls.rejectUnauthorized') !== 'false',
  };
}

/** `Example <no-reply@example.com>`, or an address alone. */
function sender(text: string | undefined, { publicUrl, siteName }: Own, faults: SettingFaults): MailSender {
  if (text === undefined) return { name: siteName, address: `no-reply@${hostOf(publicUrl)}` };
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const from = { name: unquoted(name.trim()), address: bracketed ?? text.trim() };
  if (!isMailAddress(from.address) || hasLineControls(text) || from.name.length > MAX_NAME) {
    faults.add(`MAIL_FROM is ${JSON.stringify(text)} and must be a name and an address: ${FROM_EXAMPLE}.`);
  }
  return from;
}

function unquoted(name: string): string {
  return name.replace(/^"(.*)"$/, '$1');
}

/** No mail can come from a bare IP address. */
function hostOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/[[\]]/g, '')) === 0 ? hostname : 'localhost';
}
