import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, blob, createTable, GENERATED_ID, int, NULLABLE, varchar } from './create-table.js';

/** Mails that have not left yet. */
export class MailQueue1790000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'mail_queue',
      [
        GENERATED_ID,
        blob('content'),
        big('due_at'),
        big('expires_at'),
        int('attempts'),
        varchar('claimed_by', 36, NULLABLE),
        varchar('last_error', 255, NULLABLE),
        big('created_at'),
      ],
      [{ name: 'i_mail_queue_due_at', columns: ['due_at'] }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mail_queue', true);
  }
}
