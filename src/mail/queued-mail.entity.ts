import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, TimeColumn } from '../database/statements/columns.js';

/** A mail that has not left yet. */
@Entity('mail_queue')
export class QueuedMail {
  @GeneratedId()
  readonly id!: number;

  /** Recipient and letter, see `MailQueue`. */
  @Column({ type: 'mediumblob' })
  content!: Buffer;

  /** The time from which it may be tried; while a process has it, the time at which that is taken for dead. */
  @Index('i_mail_queue_due_at')
  @TimeColumn()
  dueAt!: number;

  /** From then on it is of no use any more. */
  @TimeColumn()
  expiresAt!: number;

  /** The number of times it was taken in hand. */
  @Column({ type: 'int' })
  attempts!: number;

  /** The process that has it in hand, also where that process has died. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claimedBy!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  lastError!: string | null;

  @TimeColumn()
  createdAt!: number;
}
