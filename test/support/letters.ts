import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { AppKeys } from '../../src/config/values/app-keys.js';
import { readSettings } from '../../src/config/settings.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { AgreedTime } from '../../src/database/units/agreed-time.js';
import { Reads } from '../../src/database/statements/reads.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Writer } from '../../src/database/statements/writer.js';
import type { Letter } from '../../src/mail/letter.js';
import { MailQueue } from '../../src/mail/mail-queue.js';
import { QueuedMail } from '../../src/mail/queued-mail.entity.js';
import { SECRETS } from './child-service.js';
import { waitFor } from './mailbox.js';
import type { TestDatabase } from './test-database.js';

/** A letter with all that letters can have. */
export const LETTER: Letter = {
  subject: 'Your code',
  paragraphs: ['Somebody wants to sign in with this address.', 'If it was you, enter this code:'],
  code: '048213',
  action: { label: 'Sign in', url: 'https://cms.example.com/link?token=a-secret-token&next=%2F' },
  footer: 'The code holds for 10 minutes.',
};

/** A row of the queue. */
export interface QueuedRow {
  readonly id: number | string;
  readonly content: Buffer;
  readonly due_at: number | string;
  readonly attempts: number;
  readonly last_error: string | null;
}

const ROWS = 'SELECT id, content, due_at, attempts, last_error FROM mail_queue ORDER BY id';

/** Puts a letter into the queue of a service in this process, in a unit of work of its own. */
export function post(
  app: INestApplicationContext,
  to: string | null,
  letter: Letter = LETTER,
  expiresAt?: number,
): Promise<void> {
  const options = expiresAt === undefined ? {} : { expiresAt };
  return app.get(UnitOfWork).run((manager) => app.get(MailQueue).add(manager, to, letter, options));
}

/** What waits in the queue. */
export function queueOf(app: INestApplicationContext): Promise<QueuedRow[]> {
  return app.get(Reads).select<QueuedRow>(ROWS);
}

/** Waits until the queue is as it should be. */
export function queued(
  app: INestApplicationContext,
  isSo: (rows: readonly QueuedRow[]) => boolean,
): Promise<readonly QueuedRow[]> {
  return waitFor(async () => {
    const rows = await queueOf(app);
    return isSo(rows) ? rows : null;
  }, 'the queue');
}

/** The queue of a database whose service runs in another process, with the settings of `production()`. */
export class ForeignQueue {
  private constructor(private readonly writer: Writer) {}

  static async open({ address }: TestDatabase): Promise<ForeignQueue> {
    return new ForeignQueue(await Writer.open(dialectFor(address)));
  }

  async post(recipients: readonly string[], letter: Letter = LETTER): Promise<void> {
    const keys = new AppKeys(readSettings('test', { APP_SECRET: SECRETS.app }));
    const units = new UnitOfWork(this.writer);
    const [reads, clock] = [new Reads(this.writer.source), new Clock()];
    const queue = new MailQueue(
      reads.of(QueuedMail),
      units,
      clock,
      new AgreedTime(reads, this.writer.dialect, clock),
      keys,
    );
    await units.run(async (manager) => {
      for (const to of recipients) await queue.add(manager, to, letter, { expiresAt: Date.now() + 3_600_000 });
    });
  }

  rows(): Promise<QueuedRow[]> {
    return this.writer.source.query<QueuedRow[]>(ROWS);
  }

  async waitFor(isSo: (rows: readonly QueuedRow[]) => boolean): Promise<void> {
    await waitFor(async () => (isSo(await this.rows()) ? true : null), 'the queue');
  }

  close(): Promise<void> {
    return this.writer.onApplicationShutdown();
  }
}
