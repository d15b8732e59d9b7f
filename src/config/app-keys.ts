import { Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { Settings } from './settings.js';

/** What a key is for. A key of one purpose says nothing about those of the others. */
export type KeyPurpose = 'code' | 'counter' | 'refresh' | 'provider-cookie' | 'mail' | 'signing-keys' | 'audit';

const KEY_BYTES = 32;

/** The keys that are derived from `APP_SECRET`, so that none of them ever lies in the database. */
@Injectable()
export class AppKeys {
  private readonly secret: Buffer;

  constructor({ appSecret }: Settings) {
    this.secret = Buffer.from(appSecret);
  }

  /**
   * 32 bytes, the same in every process with the same secret.
   *
   * @param salt tells apart the keys of one purpose, for example those of sessions
   * @see RFC 5869
   */
  key(purpose: KeyPurpose, salt: Buffer = Buffer.alloc(0)): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secret, salt, `cms/${purpose}`, KEY_BYTES));
  }
}
