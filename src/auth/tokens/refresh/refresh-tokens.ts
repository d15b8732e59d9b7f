import { Injectable } from '@nestjs/common';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { cookieOf } from '../../../common/http/cookie.js';
import { Settings } from '../../../config/settings.js';
import { AppKeys } from '../../../config/values/app-keys.js';
import { ownCookie } from '../../secrets/secrets.js';

const PREFIX = 'cmsr_';
const VERSION = 2;
const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** A counter takes one to five bytes. */
const TOKEN = /^cmsr_[A-Za-z0-9_-]{50,56}$/;

/** Content of a refresh token: a session, and how often it had been refreshed when the token was made. */
export interface RefreshClaim {
  /** 16 bytes, lower-case hexadecimal. */
  readonly sessionId: string;
  readonly counter: number;
}

/**
 * Makes and reads refresh tokens: `cmsr_` and base64url of version, session id, counter, signature and checksum. Each is
 * signed with a key of its session that is derived from `APP_SECRET`, and none lies in the database.
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
    return isOurs && said[0] === VERSION && counter !== null ? { sessionId: id.toString('hex'), counter } : null;
  }
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

const NAME = 'cms_refresh';

/**
 * The cookie in which browsers keep a refresh token where no script can read it. `__Host-` asks for `Path=/`; without the
 * prefix a sibling domain can plant a session of its own, so the path is narrow there.
 */
@Injectable()
export class RefreshCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(settings: Settings) {
    const { name, path, secure } = ownCookie(settings, NAME);
    const narrow = secure === '' ? `${settings.gateway.basePath}/api/auth` : path;
    this.name = name;
    this.attributes = `Path=${narrow}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** @returns the `Set-Cookie` header that keeps a token */
  keep(token: string, seconds: number): string {
    return `${this.name}=${token}; Max-Age=${seconds}; ${this.attributes}`;
  }

  /** @returns the `Set-Cookie` header that takes it away */
  clear(): string {
    return this.keep('', 0);
  }

  /** The token in a `Cookie` header; `null`: none that is surely ours. */
  read(header: string | undefined): string | null {
    return cookieOf(header, this.name);
  }
}
