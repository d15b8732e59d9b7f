import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { Settings } from '../config/settings.js';
import { LogTransport } from './transports/log-transport.js';
import { MailMetrics } from './mail-metrics.js';
import { MailQueue } from './mail-queue.js';
import { MailDispatcher } from './mail-dispatcher.js';
import { MailTransport } from './transports/mail-transport.js';
import { MailComposer } from './mail-composer.js';
import { OutboxTransport } from './transports/outbox-transport.js';
import { SmtpTransport } from './transports/smtp-transport.js';
import { QueuedMail } from './queued-mail.entity.js';

function transportFor({ mail, mode, dataDir, publicUrl, siteName }: Settings, log: Logger): MailTransport {
  const composer = new MailComposer(mail.from, siteName, publicUrl);
  if (mail.smtp) return new SmtpTransport(mail.smtp, composer);
  if (mail.transport === 'log') return new LogTransport(log, mode !== 'production');
  return new OutboxTransport(join(dataDir, 'outbox'), composer, log, mode === 'demo');
}

/** Sends the letters of all features. */
@Module({
  imports: [TypeOrmModule.forFeature([QueuedMail])],
  providers: [
    { provide: MailTransport, inject: [Settings, LOG], useFactory: transportFor },
    MailMetrics,
    MailQueue,
    MailDispatcher,
  ],
  exports: [MailQueue],
})
export class MailModule {}
