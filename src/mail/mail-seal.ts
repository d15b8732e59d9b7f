import { Injectable } from '@nestjs/common';
import { seal, unsealWithAny } from '../common/seal.js';
import { AppKeys } from '../config/values/app-keys.js';
import type { Letter } from './letter.js';

/** What is kept of a mail, encrypted: the database alone is not enough to read it. */
export interface SealedMail {
  readonly id: string;
  /** `null`: a letter without an addressee. */
  readonly to: string | null;
  readonly letter: Letter;
}

/** Seals letters with a key that is not in the database: the codes and links in them are hashed everywhere else. */
@Injectable()
export class MailSeal {
  private readonly key: Buffer;
  private readonly keys: readonly Buffer[];

  constructor(keys: AppKeys) {
    this.key = keys.key('mail');
    this.keys = keys.keys('mail');
  }

  close(mail: SealedMail): Buffer {
    return seal(this.key, JSON.stringify(mail));
  }

  /** `null` where it was sealed with another secret than `APP_SECRET` and `APP_SECRET_OLD`, or changed since. */
  open(sealed: Buffer): SealedMail | null {
    const text = unsealWithAny(this.keys, sealed);
    // What opens with our key is what we have sealed.
    return text === null ? null : (JSON.parse(text) as SealedMail);
  }
}
