import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/statements/columns.js';

/** Number of tries for one account, counted by all processes together. */
@Entity('auth_counters')
export class Counter {
  /** HMAC-SHA-256 of what is counted, lower-case hexadecimal: the table has no address. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id!: string;

  @Column({ type: 'int' })
  tries!: number;

  /** Time when the next try is free, or the count begins again. */
  @Index('i_auth_counters_ends_at')
  @TimeColumn()
  endsAt!: number;
}
