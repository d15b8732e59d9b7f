import { Injectable } from '@nestjs/common';
import { seal, unseal } from '../common/seal.js';
import { AppKeys } from '../config/app-keys.js';
import type { Letter } from './letter.js';

/** What is kept of a mail, and read by nobody who has only the database. */
export interface SealedMail {
  readonly id: string;
  /** `null`: a letter for nobody. */
  readonly to: string | null;
  readonly letter: Letter;
}

/** Seals letters with a key that is not in the database: the codes and links in them are hashed everywhere else. */
@Injectable()
export class MailSeal {
  private readonly key: Buffer;

  constructor(keys: AppKeys) {
    this.key = keys.key('mail');
  }

  close(mail: SealedMail): Buffer {
    return seal(this.key, JSON.stringify(mail));
  }

  /** `null` where it was sealed with another key, or changed since. */
  open(sealed: Buffer): SealedMail | null {
    const text = unseal(this.key, sealed);
    // What opens with our key is what we have sealed.
    return text === null ? null : (JSON.parse(text) as SealedMail);
  }
}
