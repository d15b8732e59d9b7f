import { Injectable } from '@nestjs/common';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { cookieOf } from '../../../common/http/cookie.js';
import { Settings } from '../../../config/settings.js';
import { AppKeys } from '../../../config/values/app-keys.js';
import { ownCookie } from '../../secrets/secrets.js';

const PREFIX = 'cmsr_';
const VERSION = 2;
/** Of tokens that were made before cookies had the prefix `__Host-`. */
const FORMER_VERSION = 1;
const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** A counter takes one to five bytes. */
const TOKEN = /^cmsr_[A-Za-z0-9_-]{50,56}$/;

/** What a refresh token says: a session, and how often it had been refreshed when the token was made. */
export interface RefreshClaim {
  /** 16 bytes, lower-case hexadecimal. */
  readonly sessionId: string;
  readonly counter: number;
}

/**
 * Makes and reads refresh tokens: `cmsr_` and base64url of version, session id, counter, signature and checksum.
 * Each is signed with a key of its session that is derived from `APP_SECRET`: neither the tokens nor what makes them
 * lies in the database, and one that was made up is refused without asking it.
 */
@Injectable()
export class RefreshTokens {
  constructor(private readonly keys: AppKeys) {}

  issue({ sessionId, counter }: RefreshClaim): string {
    const id = Buffer.from(sessionId, 'hex');
    const said = Buffer.concat([Buffer.from([VERSION]), id, varint(counter)]);
    const signed = Buffer.concat([said, signatureBy(this.keys.key('refresh', id), said)]);
    return PREFIX + Buffer.concat([signed, checksum(signed)]).toString('base64url');
  }

  /** `null`: none of ours. */
  read(token: string): RefreshClaim | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
    // The last character may hold bits that no byte needs: one token has one spelling.
    if (!token.endsWith(bytes.toString('base64url'))) return null;
    const signed = bytes.subarray(0, -CHECKSUM_BYTES);
    if (!checksum(signed).equals(bytes.subarray(-CHECKSUM_BYTES))) return null;
    const said = signed.subarray(0, -SIGNATURE_BYTES);
    const id = said.subarray(1, 1 + ID_BYTES);
    const counter = readVarint(said.subarray(1 + ID_BYTES));
    const signature = signed.subarray(-SIGNATURE_BYTES);
    const isOurs = this.keys.keys('refresh', id).some((key) => timingSafeEqual(signatureBy(key, said), signature));
    const isKnown = said[0] === VERSION || said[0] === FORMER_VERSION;
    return isOurs && isKnown && counter !== null ? { sessionId: id.toString('hex'), counter } : null;
  }
}

/** Whether a token says that it is of the former version. What it says is checked by {@link RefreshTokens.read}. */
function isFormerVersion(token: string): boolean {
  return Buffer.from(token.slice(PREFIX.length), 'base64url')[0] === FORMER_VERSION;
}

function signatureBy(key: Buffer, said: Buffer): Buffer {
  return createHmac('sha256', key).update(said).digest().subarray(0, SIGNATURE_BYTES);
}

function checksum(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer): number | null {
  const value = bytes.reduceRight((sum, byte) => sum * 0x80 + (byte & 0x7f), 0);
  return varint(value).equals(bytes) ? value : null;
}

interface Form {
  readonly name: string;
  readonly attributes: string;
}

const NAME = 'cms_refresh';
const FORMER: Form = { name: `__Secure-${NAME}`, attributes: 'Path=/api/auth; HttpOnly; SameSite=Strict; Secure' };

/**
 * The cookie in which browsers keep a refresh token where no script can read it.
 *
 * `__Host-` asks for `Path=/`. A narrower path sends the cookie less often, but protects it from nothing: pages of the
 * same origin reach every path. Without the prefix a sibling domain can plant a session of its own. The cookie of earlier
 * versions had none, so it counts with tokens of those versions only, which end within `REFRESH_IDLE`; it is taken away
 * wherever the cookie is set.
 *
 * Over plain http, and below a base path, it is sent to the sign-in only.
 */
@Injectable()
export class RefreshCookie {
  private readonly form: Form;
  private readonly hasFormer: boolean;

  constructor(settings: Settings) {
    const { name, path, secure } = ownCookie(settings, NAME);
    this.hasFormer = path === '/' && secure !== '';
    const narrow = this.hasFormer ? path : `${settings.gateway.basePath}/api/auth`;
    this.form = { name, attributes: `Path=${narrow}; HttpOnly; SameSite=Strict${secure}` };
  }

  /** @returns the `Set-Cookie` headers that keep a token */
  keep(token: string, seconds: number): readonly string[] {
    return this.setting(token, seconds);
  }

  /** @returns the `Set-Cookie` headers that take it away */
  clear(): readonly string[] {
    return this.setting('', 0);
  }

  /** The token in a `Cookie` header; `null`: none that is surely ours. */
  read(header: string | undefined): string | null {
    return cookieOf(header, this.form.name) ?? (this.hasFormer ? formerToken(header) : null);
  }

  private setting(token: string, seconds: number): readonly string[] {
    return [line(this.form, token, seconds), ...(this.hasFormer ? [line(FORMER, '', 0)] : [])];
  }
}

function formerToken(header: string | undefined): string | null {
  const token = cookieOf(header, FORMER.name);
  return token !== null && isFormerVersion(token) ? token : null;
}

function line({ name, attributes }: Form, value: string, seconds: number): string {
  return `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
}
