import { Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { Settings } from '../settings.js';

/** The purpose of a key. A key of one purpose says nothing about those of the others. */
export type KeyPurpose =
  'code' | 'counter' | 'device' | 'refresh' | 'provider-cookie' | 'mail' | 'signing-keys' | 'audit';

const KEY_BYTES = 32;

/** The keys that are derived from `APP_SECRET`, so that none of them ever lies in the database. */
@Injectable()
export class AppKeys {
  private readonly secret: string;
  private readonly formerSecret: string | null;

  constructor({ appSecret, formerSecret }: Settings) {
    this.secret = appSecret;
    this.formerSecret = formerSecret;
  }

  /**
   * 32 bytes for new things, equal in every process with the same secret. @param salt distinguishes keys of one purpose
   * @see RFC 5869
   */
  key(purpose: KeyPurpose, salt: Buffer = Buffer.alloc(0)): Buffer {
    return derived(this.secret, purpose, salt);
  }

  /** The keys that something may have been made with: that of {@link key}, and that of `APP_SECRET_OLD`. */
  keys(purpose: KeyPurpose, salt: Buffer = Buffer.alloc(0)): readonly Buffer[] {
    const present = this.key(purpose, salt);
    return this.formerSecret === null ? [present] : [present, derived(this.formerSecret, purpose, salt)];
  }
}

/** Equal for equal secrets, 64 hexadecimal digits. Says no more about a secret than its keys do. */
export function fingerprintOf(secret: string): string {
  return derived(secret, 'fingerprint', Buffer.alloc(0)).toString('hex');
}

function derived(secret: string, purpose: KeyPurpose | 'fingerprint', salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `cms/${purpose}`, KEY_BYTES));
}
