import { hasReadableUser, strayPercent } from '../urls/percent-decoded.js';
import { authorities } from './authorities.js';
import type { SettingFaults } from './setting-faults.js';

/** OpenSearch, and where the index is in it. */
export interface SearchServer {
  /** `https://search.example.com:9200`, without a user. */
  readonly origin: string;
  readonly user: { readonly username: string; readonly password: string } | null;
  /** The alias of the index: `cms`. The indexes behind it are called `cms-1`, `cms-2` and so on. */
  readonly alias: string;
  /** Certificates of the authorities that are trusted, in PEM; `null`: those that Node.js knows. */
  readonly ca: string | null;
}

interface Texts {
  readonly SEARCH_URL?: string | undefined;
  readonly SEARCH_TLS?: string | undefined;
  readonly SEARCH_INDEX?: string | undefined;
}

const EXAMPLE = 'SEARCH_URL=https://user:password@search.example.com:9200/cms';
const USUAL_ALIAS = 'cms';
/** What OpenSearch takes for the name of an index, and no more of it than is needed. */
const PATH = /^\/(?:[a-z0-9][a-z0-9_-]{0,63})?$/;

/** A fault never repeats the address: it may hold a password. */
export function searchServer(env: Texts, database: 'sqlite' | 'server', faults: SettingFaults): SearchServer | null {
  const [text, tls] = [env.SEARCH_URL, env.SEARCH_TLS];
  if (text === undefined) {
    if (tls !== undefined && tls !== 'on')
      faults.add('SEARCH_TLS is for OpenSearch, and SEARCH_URL is not set: set it, or remove SEARCH_TLS.');
    return null;
  }
  const url = addressOf(text, faults);
  if (url === null) return null;
  requireFit(env, database, faults);
  const { protocol, origin, username, password, pathname } = url;
  return {
    origin,
    user: username === '' ? null : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    alias: pathname.slice(1) || USUAL_ALIAS,
    ca: authority(tls, protocol, faults),
  };
}

/** `null`: it does not fit. */
function addressOf(text: string, faults: SettingFaults): URL | null {
  if (!URL.canParse(text) || !isAddress(new URL(text))) {
    faults.add(`SEARCH_URL is not the address of OpenSearch with the name of the index. Use ${EXAMPLE}.`);
    return null;
  }
  if (hasReadableUser(new URL(text))) return new URL(text);
  faults.add(strayPercent('SEARCH_URL', 'https://user:100%25@search.example.com:9200/cms'));
  return null;
}

/** Where OpenSearch has no place. */
function requireFit({ SEARCH_INDEX }: Texts, database: 'sqlite' | 'server', faults: SettingFaults): void {
  if (database === 'sqlite')
    faults.add('SEARCH_URL is for MySQL and MariaDB, and DATABASE_URL is a file of SQLite, which searches itself.');
  if (SEARCH_INDEX === 'local')
    faults.add('SEARCH_INDEX is local and SEARCH_URL is set. Keep one of them: searches have one place.');
}

function authority(tls: string | undefined, protocol: string, faults: SettingFaults): string | null {
  if (tls === undefined || tls === 'on') return null;
  if (protocol === 'https:') return authorities('SEARCH_TLS', tls, faults);
  faults.add('SEARCH_TLS names a file, and SEARCH_URL begins with http://. Use https:// there, or remove SEARCH_TLS.');
  return null;
}

function isAddress({ protocol, hostname, username, password, pathname, search, hash }: URL): boolean {
  const isWhole = (username === '') === (password === '');
  return /^https?:$/.test(protocol) && hostname !== '' && isWhole && PATH.test(pathname) && search + hash === '';
}
