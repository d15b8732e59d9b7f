import type { SendMailOptions } from 'nodemailer';
import type { MailSender } from '../config/mail-settings.js';
import { htmlOf } from './letter-html.js';
import { subjectOf, textOf, type Letter } from './letter.js';

export interface Mail {
  /** The same at every attempt, so that a mailbox that gets it twice can drop the second copy. */
  readonly id: string;
  readonly to: string;
  readonly letter: Letter;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** Gives mails the form in which they travel. */
export class MailComposer {
  private readonly host: string;

  constructor(
    private readonly from: MailSender,
    private readonly siteName: string,
    publicUrl: string,
  ) {
    this.host = new URL(publicUrl).hostname;
  }

  /** Addresses are objects and never text: nodemailer would take a line break or a comma in them for the next address. */
  messageOf({ id, to, letter, createdAt }: Mail): SendMailOptions {
    return {
      from: { ...this.from },
      to: { name: '', address: to },
      subject: subjectOf(letter),
      text: textOf(letter),
      html: htmlOf(letter, this.siteName),
      date: new Date(createdAt),
      messageId: `<${id}@${this.host}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }
}
