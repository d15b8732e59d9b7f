import { isIP } from 'node:net';
import { isMailAddress } from '../common/text/mail-address.js';
import { hasLineControls } from '../common/text/one-line.js';
import { isLoopback, percentDecoded, strayPercent } from './values/addresses.js';
import type { SettingReader } from './values/setting-reader.js';

/** Destinations of mails: to a mail server, into the folder `outbox`, or nowhere but into a line of the log. */
const TRANSPORTS = ['smtp', 'file', 'log'] as const;

export type SmtpServer = NonNullable<ReturnType<typeof smtpServer>>;

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

export type MailSettings = ReturnType<typeof mailSettings>;

/** Longest name of a sender, characters. */
const MAX_NAME = 100;
const SMTP_EXAMPLE = 'SMTP_URL=smtp://user:password@mail.example.com:587';
const FROM_EXAMPLE = 'MAIL_FROM=Example <no-reply@example.com>';
/** Parameters behind the `?` of `SMTP_URL`, as nodemailer calls it. */
const OPTIONS: readonly string[] = ['requireTLS', 'tls.rejectUnauthorized'];

export function mailSettings(reader: SettingReader, publicUrl: string) {
  const url = reader.text('SMTP_URL');
  const smtp = url === undefined ? null : smtpServer(url, reader);
  const transport = reader.oneOf('MAIL_TRANSPORT', TRANSPORTS, url === undefined ? 'file' : 'smtp');
  if (transport === 'smtp' && url === undefined) {
    reader.fault(`MAIL_TRANSPORT is smtp and SMTP_URL is not set. Name the mail server: ${SMTP_EXAMPLE}.`);
  }
  const usual = { name: new URL(publicUrl).host, address: `no-reply@${hostOf(publicUrl)}` };
  return { transport, smtp: transport === 'smtp' ? smtp : null, from: sender(reader) ?? usual };
}

/** A fault never repeats the value: it may hold a password. */
function smtpServer(text: string, reader: SettingReader) {
  const url = serverUrl(text);
  if (!url) {
    reader.fault(`SMTP_URL is not the address of a mail server. Use ${SMTP_EXAMPLE}, or smtps:// for port 465.`);
    return null;
  }
  const auth = credentials(url, reader);
  const { requireTLS, verifies } = options(url, reader);
  // A password that leaves this machine is encrypted, unless the operator says otherwise.
  const isGuarded = auth !== null && auth.pass !== '' && !isLoopback(url.hostname);
  const secure = url.protocol === 'smtps:';
  const port = Number(url.port) || (secure ? 465 : 587);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    /** Encrypted from the first byte; otherwise as soon as the server offers it. */
    secure,
    /** True if nothing is sent without encryption. */
    requireTLS: requireTLS ?? isGuarded,
    verifiesCertificate: verifies,
    auth,
    /** Without user and password, for people. */
    label: `${url.protocol}//${url.hostname}:${port}`,
  };
}

function serverUrl(text: string): URL | null {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isServer = url.hostname !== '' && ['', '/'].includes(url.pathname) && url.hash === '';
  return isServer ? url : null;
}

function credentials({ username, password }: URL, reader: SettingReader): { user: string; pass: string } | null {
  if (username === '' && password === '') return null;
  const [user, pass] = [percentDecoded(username), percentDecoded(password)];
  if (user !== null && pass !== null) return { user, pass };
  reader.fault(strayPercent('SMTP_URL', 'smtp://user:100%25@mail.example.com:587'));
  return null;
}

function options({ searchParams }: URL, reader: SettingReader): { requireTLS: boolean | null; verifies: boolean } {
  const isFit = [...searchParams].every(([key, value]) => OPTIONS.includes(key) && ['true', 'false'].includes(value));
  if (!isFit) {
    reader.fault(
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
function sender(reader: SettingReader): MailSender | null {
  const text = reader.text('MAIL_FROM');
  if (text === undefined) return null;
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const from = { name: name.trim().replace(/^"(.*)"$/, '$1'), address: bracketed ?? text.trim() };
  if (!isMailAddress(from.address) || hasLineControls(text) || from.name.length > MAX_NAME) {
    reader.fault(`MAIL_FROM is ${JSON.stringify(text)} and must be a name and an address: ${FROM_EXAMPLE}.`);
  }
  return from;
}

/** No mail can come from a bare IP address. */
function hostOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/[[\]]/g, '')) === 0 ? hostname : 'localhost';
}
