import { resolve } from 'node:path';
import type { Faults } from './setting-parsers.js';

/** Where the data live. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; /** Absolute path. */ readonly file: string }
  | {
      readonly kind: 'server';
      readonly url: string;
      /** Without user and password, for logs. */ readonly label: string;
    };

const EXAMPLES = 'sqlite:data/cms.sqlite, mysql://user:password@host:3306/cms or mariadb://user:password@host:3306/cms';

/** Parses `DATABASE_URL`. A fault never repeats the value: it may hold a password. */
export function databaseUrl(text: string, faults: Faults): DatabaseAddress {
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(file) };

  const isServer = /^(?:mysql|mariadb):\/\//.test(text) && URL.canParse(text);
  if (!isServer) {
    faults.add(`DATABASE_URL is not an address that the service knows. Use ${EXAMPLES}.`);
    return { kind: 'sqlite', file: ':memory:' };
  }
  const { protocol, host, pathname } = new URL(text);
  if (pathname.length < 2)
    faults.add('DATABASE_URL names no database: add it to the end, for example mysql://user:password@host:3306/cms.');
  return { kind: 'server', url: text.replace(/^mariadb:/, 'mysql:'), label: `${protocol}//${host}${pathname}` };
}
