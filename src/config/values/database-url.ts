import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { hasReadableUser, strayPercent } from './addresses.js';
import type { SettingReader } from './setting-reader.js';

/** The encryption of the connection to a server; `null`: not at all. Certificates and names are always checked. */
export type DatabaseTls = {
  /** Certificates of the authorities that are trusted, in PEM; `null`: those that Node.js knows. */
  readonly ca: string | null;
} | null;

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; /** Absolute path. */ readonly file: string }
  | {
      readonly kind: 'server';
      readonly url: string;
      /** Without user and password, for logs. */ readonly label: string;
      readonly tls: DatabaseTls;
      /** Connections at most in each of the two pools; without it as many as usual. */
      readonly pool?: number;
    };

/** Connections at most in each of the two pools, unless an operator says otherwise. */
export const DATABASE_POOL = 10;
/** As many as there may be, a unit of work needs one, and what is beside the requests another one. */
const POOL_LIMITS = { min: 2, max: 200 };

const EXAMPLES = 'sqlite:data/cms.sqlite, mysql://user:password@host:3306/cms or mariadb://user:password@host:3306/cms';

const VERIFIED = 'VERIFY_IDENTITY';
const QUERY_FAULT =
  'DATABASE_URL has something behind a question mark that it does not take. For TLS to a server write ?ssl-mode=VERIFY_IDENTITY, and for your own authority &ssl-ca=/etc/cms/ca.pem; write %3F for a question mark of a password.';

/** Reads where the data live. A fault never repeats the address: it may hold a password. */
export function databaseAddress(reader: SettingReader, dataDir: string): DatabaseAddress {
  const text = reader.text('DATABASE_URL') ?? `sqlite:${dataDir}/cms.sqlite`;
  const pool = reader.integer('DATABASE_POOL', DATABASE_POOL, POOL_LIMITS);
  const address = text.replace(/\?.*$/s, '');
  const query = text.slice(address.length);
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(address)?.[1];
  if (!isFitting(query, file === undefined)) reader.fault(QUERY_FAULT);
  if (file !== undefined) return { kind: 'sqlite', file: resolve(file) };
  if (/^(?:mysql|mariadb):\/\//.test(address) && URL.canParse(address))
    return { ...server(address, query, reader), pool };
  reader.fault(`DATABASE_URL is not an address that the service knows. Use ${EXAMPLES}.`);
  return { kind: 'sqlite', file: ':memory:' };
}

function server(text: string, query: string, reader: SettingReader) {
  const url = new URL(text);
  const { protocol, host, hostname, pathname } = url;
  if (!hasReadableUser(url)) reader.fault(strayPercent('DATABASE_URL', 'mysql://user:100%25@host:3306/cms'));
  if (pathname.length < 2)
    reader.fault('DATABASE_URL names no database: add it to the end, for example mysql://user:password@host:3306/cms.');
  return {
    kind: 'server' as const,
    url: text.replace(/^mariadb:/, 'mysql:'),
    label: `${protocol}//${host}${pathname}`,
    tls: databaseTls(hostname, query, reader),
  };
}

/** True if nothing is behind the address, or parameters of TLS alone, as the tools of MySQL have them. */
function isFitting(query: string, isServer: boolean): boolean {
  if (query === '') return true;
  const parameters = [...new URLSearchParams(query)];
  const { 'ssl-mode': mode, 'ssl-ca': ca, ...others } = Object.fromEntries(parameters);
  const modes = ca === undefined ? ['DISABLED', VERIFIED] : [undefined, VERIFIED];
  // Of two that have one name it is not clear which one counts.
  const isClear = new Set(parameters.map(([name]) => name)).size === parameters.length;
  return isServer && isClear && Object.keys(others).length === 0 && modes.includes(mode);
}

function databaseTls(hostname: string, query: string, reader: SettingReader): DatabaseTls {
  const parameters = new URLSearchParams(query);
  const ca = parameters.get('ssl-ca');
  if (ca === null && parameters.get('ssl-mode') !== VERIFIED) return null;
  // The driver would compare the certificate of an address with the name localhost.
  if (isIP(hostname.replace(/[[\]]/g, '')) !== 0) {
    reader.fault(
      'DATABASE_URL has ssl-mode or ssl-ca and needs the name of the server, as its certificate has it, and no IP address.',
    );
  }
  return { ca: ca === null ? null : authorities(ca, reader) };
}

function authorities(path: string, reader: SettingReader): string | null {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
    reader.fault(
      `ssl-ca of DATABASE_URL is ${path}, and that file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    reader.fault(
      `ssl-ca of DATABASE_URL is "${path}" and must be the file of an authority; there is no such file to read: ${code ?? String(error)}.`,
    );
  }
  return null;
}
