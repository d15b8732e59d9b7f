import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Logger } from 'pino';
import type { Mail, MailComposer } from '../mail-composer.js';
import { MailTransport } from './mail-transport.js';
import { secretsOf, subjectOf } from '../letter.js';

/** The service alone: codes and links are worth as much as passwords. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const MAX_NAME = 80;

/** Writes mails into a folder, one file each, as a mail server would get them. */
export class OutboxTransport extends MailTransport {
  readonly done = 'mail written into the folder outbox, from where it reaches nobody';

  /** @param logsSecrets whether the log may show the links and codes of the letters */
  constructor(
    private readonly folder: string,
    private readonly composer: MailComposer,
    private readonly log: Logger,
    private readonly logsSecrets: boolean,
  ) {
    super();
  }

  async send(mail: Mail): Promise<void> {
    // Loaded with the first mail: most processes start without one.
    const { createTransport } = await import('nodemailer');
    const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await renderer.sendMail(this.composer.messageOf(mail));
    await mkdir(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    const file = join(this.folder, fileName(mail));
    // A reader of the folder finds whole mails only.
    await writeFile(`${file}.partial`, message, { mode: PRIVATE_FILE });
    await rename(`${file}.partial`, file);
    if (this.logsSecrets) this.logMail(mail, file);
  }

  private logMail({ to, letter }: Mail, file: string): void {
    this.log.info({ to, subject: subjectOf(letter), file: relative('.', file), ...secretsOf(letter) }, 'mail');
  }
}

/** `20260131T093015123Z-ann@example.com-1b4e28ba.eml`: the same at every attempt. */
function fileName({ id, to, createdAt }: Mail): string {
  const time = new Date(createdAt).toISOString().replace(/[-:.]/g, '');
  const mailbox = to.replace(/[^A-Za-z0-9@._+-]/g, '_').slice(0, MAX_NAME);
  return `${time}-${mailbox}-${id.slice(0, 8)}.eml`;
}
