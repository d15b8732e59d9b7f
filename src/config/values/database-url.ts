import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { hasReadableUser, strayPercent } from './addresses.js';
import type { SettingReader } from './setting-reader.js';

/** How the connection to a server is encrypted; `null`: not at all. Certificates and names are always checked. */
export type DatabaseTls = {
  /** Certificates of the authorities that are trusted, in PEM; `null`: those that Node.js knows. */
  readonly ca: string | null;
} | null;

/** Where the data live. */
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

/** Reads where the data live. A fault never repeats the address: it may hold a password. */
export function databaseAddress(reader: SettingReader, dataDir: string): DatabaseAddress {
  const text = reader.text('DATABASE_URL') ?? `sqlite:${dataDir}/cms.sqlite`;
  if (text.includes('?')) {
    reader.fault(
      `DATABASE_URL has something behind a question mark, such as ?ssl=, and takes nothing there. For TLS set DATABASE_TLS=on, or to the file of your authority; write %3F for a question mark of a password.`,
    );
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(file) };
  if (/^(?:mysql|mariadb):\/\//.test(text) && URL.canParse(text)) return server(text, new URL(text), reader);
  reader.fault(`DATABASE_URL is not an address that the service knows. Use ${EXAMPLES}.`);
  return { kind: 'sqlite', file: ':memory:' };
}

function server(text: string, url: URL, reader: SettingReader): DatabaseAddress {
  const { protocol, host, hostname, pathname } = url;
  if (!hasReadableUser(url)) reader.fault(strayPercent('DATABASE_URL', 'mysql://user:100%25@host:3306/cms'));
  if (pathname.length < 2)
    reader.fault('DATABASE_URL names no database: add it to the end, for example mysql://user:password@host:3306/cms.');
  return {
    kind: 'server',
    url: text.replace(/^mariadb:/, 'mysql:'),
    label: `${protocol}//${host}${pathname}`,
    tls: databaseTls(hostname, reader),
    pool: reader.integer('DATABASE_POOL', DATABASE_POOL, POOL_LIMITS),
  };
}

function databaseTls(hostname: string, reader: SettingReader): DatabaseTls {
  const text = reader.text('DATABASE_TLS');
  if (text === undefined || text === 'off') return null;
  // The driver would compare the certificate of an address with the name localhost.
  if (isIP(hostname.replace(/[[\]]/g, '')) !== 0) {
    reader.fault(
      'DATABASE_TLS needs the name of the server in DATABASE_URL, as its certificate has it, and no IP address.',
    );
  }
  return { ca: text === 'on' ? null : authorities(text, reader) };
}

/** Certificates of the authorities that a connection trusts, out of a file in PEM. */
function authorities(path: string, reader: SettingReader): string | null {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
    reader.fault(`DATABASE_TLS is ${path}, and that file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    reader.fault(
      `DATABASE_TLS is "${path}" and must be on, off, or the file of an authority; there is no such file to read: ${code ?? String(error)}.`,
    );
  }
  return null;
}
