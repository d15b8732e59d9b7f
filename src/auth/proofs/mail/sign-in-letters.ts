import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../../config/settings.js';
import type { Letter } from '../../../mail/letter.js';
import { MailQueue } from '../../../mail/mail-queue.js';
import { Links } from '../challenges/links.js';

const STRANGER =
  'If it was not you, do nothing: nobody can sign in without this mail. We never ask you for the code, and nobody else should.';

/** What opens an account. */
interface Secrets {
  readonly code: string;
  readonly token: string;
  /** When neither does any more. */
  readonly expiresAt: number;
}

/** Writes the mails that let people sign in. */
@Injectable()
export class SignInLetters {
  constructor(
    private readonly mail: MailQueue,
    private readonly links: Links,
    private readonly settings: Settings,
  ) {}

  /** @param to `null`: a mail that is not sent, which is as much work */
  send(manager: EntityManager, to: string | null, { code, token, expiresAt }: Secrets): Promise<void> {
    return this.mail.add(manager, to, this.letter(code, token), { expiresAt });
  }

  /** With a code and a link, as far as these ways to sign in are open. The subject has no code: locked screens show it. */
  private letter(code: string, token: string): Letter {
    const { methods, codeSeconds, linkSeconds } = this.settings.signIn;
    const hasCode = methods.has('otp');
    const hasLink = methods.has('magic-link');
    return {
      subject: `Sign in to ${this.links.service}`,
      paragraphs: [
        `A sign-in to ${this.links.service} was started with this address. If that was you, ${whatToDo(hasCode, hasLink)}.`,
      ],
      ...(hasCode ? { code } : {}),
      ...(hasLink ? { action: { label: 'Sign in', url: this.links.to('sign_in', token) } } : {}),
      footer: `Works once, within ${minutes(Math.min(hasCode ? codeSeconds : Infinity, hasLink ? linkSeconds : Infinity))}. ${STRANGER}`,
    };
  }
}

function whatToDo(hasCode: boolean, hasLink: boolean): string {
  if (!hasLink) return 'enter this code there';
  return hasCode ? 'enter this code there, or open the link on this device' : 'open this link';
}

/** `600` -> `10 minutes` */
function minutes(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;
}
