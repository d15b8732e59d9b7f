import type { Mail } from '../mail-composer.js';

/** Sends mails. */
export abstract class MailTransport {
  abstract readonly done: string;

  /** Sends one mail. @throws {MailRefusedError} it will never be taken; anything else: it may be taken later */
  abstract send(mail: Mail): Promise<void>;
  /** Breaks off what is under way. */
  close(): void {
    // A mail leaves at once, or not at all.
  }
}

/** The other side does not want this mail, now or later. */
export class MailRefusedError extends Error {}
