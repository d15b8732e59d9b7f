import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { MailServer } from './mail-server.js';

/** A mail as its reader sees it. */
export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The one-time code; empty: there is none. */
  readonly code: string;
  /** The address that it asks to open; empty: there is none. */
  readonly link: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** All of it, as it came. */
  readonly raw: string;
}

/** Only a hang takes that long; below the limit of a test, so that the failure says what did not come. */
const HANG_MS = 60_000;
/** Time of the machine, whatever a test makes of the clock. */
const now = performance.now.bind(performance);

/** Reads what a mail server has received, one mail after the other. */
export class Mailbox {
  /** Places of the mails that were handed out, by address. */
  private readonly taken = new Map<string, Set<number>>();

  constructor(readonly server: MailServer) {}

  /** With a server of its own, which takes everything; give `environment` to the service. */
  static async open(): Promise<Mailbox> {
    return new Mailbox(await MailServer.start());
  }

  get environment(): { readonly SMTP_URL: string } {
    return { SMTP_URL: this.server.url };
  }

  /** The mails to an address that have come so far. */
  mailsTo(address: string): Promise<ReadMail[]> {
    return Promise.all(this.rawTo(address).map(readMail));
  }

  /**
   * A mail to an address, once it has come. Each is handed out once.
   *
   * @param subject of the mail, whatever has come before it: mails of one request are under way side by side. Without one it
   *   is the next mail after all that were handed out
   */
  async next(address: string, subject?: RegExp): Promise<ReadMail> {
    const taken = this.taken.get(address) ?? new Set();
    this.taken.set(address, taken);
    const find = async (): Promise<ReadMail | undefined> => {
      const mails = await this.mailsTo(address);
      const last = Math.max(-1, ...taken);
      const index = mails.findIndex((mail, at) => (subject ? !taken.has(at) && subject.test(mail.subject) : at > last));
      if (index >= 0) taken.add(index);
      return mails[index];
    };
    return waitFor(find, `a mail to ${address}${subject ? ` with ${String(subject)}` : ''}`);
  }

  close(): Promise<void> {
    return this.server.stop();
  }

  private rawTo(address: string): Buffer[] {
    return this.server.received.filter(({ to }) => to.includes(address)).map(({ raw }) => raw);
  }
}

/** The mails that lie in the folder `outbox`, oldest first. */
export async function readOutbox(dataDir: string): Promise<ReadMail[]> {
  const folder = join(dataDir, 'outbox');
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort() : [];
  return Promise.all(names.map(async (name) => readMail(await readFile(join(folder, name)))));
}

/** What a question is answered with, asked until it is answered. @throws when it hangs */
export async function waitFor<Answer>(ask: () => Promise<Answer | null | undefined>, what: string): Promise<Answer> {
  for (const end = now() + HANG_MS; ;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    if (now() > end) throw new Error(`Waited ${HANG_MS} ms in vain for ${what}.`);
    await sleep(10);
  }
}

async function readMail(raw: Buffer): Promise<ReadMail> {
  const { subject = '', text = '', html = '', to = [], headers }: Email = await PostalMime.parse(raw);
  const first = (pattern: RegExp): string => pattern.exec(text)?.[0].trim() ?? '';
  return {
    to: to.map(({ address }) => address).join(', '),
    subject,
    text,
    html,
    code: first(/^ {4}\S+$/m),
    link: first(/^https?:\/\/\S+$/m),
    headers: new Map(headers.map(({ key, value }) => [key, value])),
    raw: raw.toString('utf8'),
  };
}
