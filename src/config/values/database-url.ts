import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { hasReadableUser, strayPercent } from '../urls/percent-decoded.js';
import type { SettingFaults } from './setting-faults.js';

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

const EXAMPLES = 'sqlite:data/cms.sqlite, mysql://user:password@host:3306/cms or mariadb://user:password@host:3306/cms';

/** Parses `DATABASE_URL` and `DATABASE_TLS`. A fault never repeats the address: it may hold a password. */
export function databaseUrl(text: string, tls: string | undefined, faults: SettingFaults): DatabaseAddress {
  if (text.includes('?')) {
    faults.add(
      `DATABASE_URL has something behind a question mark, such as ?ssl=, and takes nothing there. For TLS set DATABASE_TLS=on, or to the file of your authority; write %3F for a question mark of a password.`,
    );
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(file) };

  const isServer = /^(?:mysql|mariadb):\/\//.test(text) && URL.canParse(text);
  if (!isServer) {
    faults.add(`DATABASE_URL is not an address that the service knows. Use ${EXAMPLES}.`);
    return { kind: 'sqlite', file: ':memory:' };
  }
  const url = new URL(text);
  const { protocol, host, hostname, pathname } = url;
  if (!hasReadableUser(url)) faults.add(strayPercent('DATABASE_URL', 'mysql://user:100%25@host:3306/cms'));
  if (pathname.length < 2)
    faults.add('DATABASE_URL names no database: add it to the end, for example mysql://user:password@host:3306/cms.');
  return {
    kind: 'server',
    url: text.replace(/^mariadb:/, 'mysql:'),
    label: `${protocol}//${host}${pathname}`,
    tls: databaseTls(tls, hostname, faults),
  };
}

function databaseTls(text: string | undefined, hostname: string, faults: SettingFaults): DatabaseTls {
  if (text === undefined || text === 'off') return null;
  // The driver would compare the certificate of an address with the name localhost.
  if (isIP(hostname.replace(/[[\]]/g, '')) !== 0) {
    faults.add(
      'DATABASE_TLS needs the name of the server in DATABASE_URL, as its certificate has it, and no IP address.',
    );
  }
  if (text === 'on') return { ca: null };
  return { ca: authorities('DATABASE_TLS', text, faults) };
}

/**
 * Certificates of the authorities that a connection trusts, out of a file in PEM.
 *
 * @param setting the one that names the file
 */
function authorities(setting: string, path: string, faults: SettingFaults): string | null {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
    faults.add(`${setting} is ${path}, and that file holds no certificate in PEM (-----BEGIN CERTIFICATE-----).`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.add(
      `${setting} is "${path}" and must be on, off, or the file of an authority; there is no such file to read: ${code ?? String(error)}.`,
    );
  }
  return null;
}
