import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../database/statements/columns.js';
import type { AuditEventName, AuditOutcome } from './audit-event.js';

/** One line of the audit. It is never changed: the database refuses that, too. */
@Entity('auth_events')
@Index('i_auth_events_at', ['at'])
@Index('i_auth_events_event', ['event', 'at'])
@Index('i_auth_events_event_outcome', ['event', 'outcome', 'at'])
@Index('i_auth_events_outcome', ['outcome', 'at'])
@Index('i_auth_events_user', ['userId', 'at'])
@Index('i_auth_events_session', ['sessionId', 'at'])
@Index('i_auth_events_ip', ['ip', 'at'])
export class AuthEvent {
  @GeneratedId()
  readonly id!: number;

  @TimeColumn()
  at!: number;

  @Column({ type: 'varchar', length: 40 })
  event!: AuditEventName;

  @Column({ type: 'varchar', length: 8 })
  outcome!: AuditOutcome;

  @IdColumn({ nullable: true })
  userId!: number | null;

  /** The stored address of a user, or `hmac:` and a keyed hash of what was typed. */
  @Column({ type: 'varchar', length: 320, nullable: true })
  email!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  sessionId!: string | null;

  @Column({ type: 'varchar', length: 8, nullable: true })
  actorKind!: 'token' | 'user' | null;

  /** Id of the user or of the API token that did it. */
  @IdColumn({ nullable: true })
  actorId!: number | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  actorName!: string | null;

  @Column({ type: 'varchar', length: 45, nullable: true })
  ip!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  userAgent!: string | null;

  @Column({ type: 'varchar', length: 128, nullable: true })
  requestId!: string | null;

  @Column({ type: 'varchar', length: 32, nullable: true })
  provider!: string | null;

  @Column({ type: 'varchar', length: 64, nullable: true })
  reason!: string | null;

  /** JSON. */
  @Column({ type: 'mediumtext', nullable: true })
  details!: string | null;
}
