import { relative } from 'node:path';
import { counted } from '../common/text/counted.js';
import type { DatabaseAddress } from '../config/values/database-url.js';

export interface DemoAdmin {
  readonly email: string;
  readonly password: string;
  readonly file: string;
}

export interface BannerDetails {
  readonly version: string;
  readonly secondsToStart: number;
  readonly origin: string;
  /** Path in front of all others; empty if a gateway strips it. */
  readonly basePath: string;
  /** The token that signs in to the console once; `null`: links do not sign in here. */
  readonly signInToken: string | null;
  readonly token: string;
  readonly tokenFile: string;
  readonly admin: DemoAdmin;
  readonly database: DatabaseAddress;
  readonly posts: number;
}

export function banner(details: BannerDetails): string {
  const { version, secondsToStart, origin, basePath, token, tokenFile, admin } = details;
  const base = origin + basePath;
  return `
  Content service ${version} · demo · node ${process.versions.node} · ready in ${secondsToStart.toFixed(1)} s
${consoleLine(details)}  API       ${base}/api/cms
  Token     ${token}   (reads and writes everything, this database only; kept in ${tokenFile})
  Sign in   ${admin.email}   ${admin.password}   (POST ${base}/api/auth/login; kept in ${admin.file})
  Docs      ${base}/api/docs   OpenAPI ${base}/api/openapi.json
  Database  ${databaseLine(details)}
  Health    ${origin}/health/live   ${origin}/health/ready
  Try it    ${curlLine(details)}
  Stop: Ctrl+C
`;
}

/** The address to open first comes first. Its part behind `#` stays in the browser: no log has it. */
function consoleLine({ origin, basePath, signInToken }: BannerDetails): string {
  if (signInToken === null) return '';
  const address = `${origin}${basePath}/admin`;
  return `  Console   ${address}/login#once=${signInToken}   (signs you in once, within ten minutes; later ${address})\n`;
}

export function curlLine({ origin, basePath, token }: Pick<BannerDetails, 'origin' | 'basePath' | 'token'>): string {
  return `curl -H "Authorization: Bearer ${token}" "${origin}${basePath}/api/cms/post?per_page=3"`;
}

function databaseLine({ database, posts }: BannerDetails): string {
  const count = counted(posts, 'post');
  return database.kind === 'sqlite'
    ? `SQLite ${shownPath(database.file)} (${count})   MySQL or MariaDB: set DATABASE_URL=mysql://user:password@host:3306/cms`
    : `${database.label} (${count})`;
}

/** The origin for a browser or shell on this machine, which cannot call "everywhere". */
export function localOrigin(host: string, port: number): string {
  const isHere = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  if (isHere) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Relative to the working directory where the file is in it. */
export function shownPath(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') ? file : path;
}
