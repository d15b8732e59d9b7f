import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/statements/columns.js';

/** A request with a key that was carried out, for as long as it is not carried out again when it is sent again. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** See `KeyedRequest`: keys of different callers have nothing to do with each other. */
  @PrimaryColumn({ type: 'varchar', length: 80 })
  caller!: string;

  @PrimaryColumn({ type: 'varchar', length: 43 })
  hash!: string;

  @Column({ type: 'varchar', length: 43 })
  request!: string;

  /** Id of the record that it has made or changed. */
  @IdColumn()
  ref!: number;

  /** JSON: status, headers and body of the answer. `null`: not kept or a day old, and the record is read instead. */
  @Column({ type: 'mediumtext', nullable: true })
  answer!: string | null;

  @Index('i_idempotency_keys_expires_at')
  @TimeColumn()
  expiresAt!: number;
}
