import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/statements/columns.js';

/** The state of a record after one write of it. */
@Entity('revisions')
export class Revision {
  @PrimaryColumn({ type: 'bigint' })
  recordId!: number;

  /** `updated_at` that the write gave to the record: unique and increasing for each record. */
  @PrimaryColumn({ type: 'bigint' })
  ts!: number;

  @Column({ type: 'int' })
  version!: number;

  @Column({ type: 'varchar', length: 16 })
  action!: string;

  @Column({ type: 'varchar', length: 255 })
  title!: string;

  @Column({ type: 'varchar', length: 16 })
  status!: string;

  /** Id of `actors`. */
  @IdColumn()
  actorId!: number;

  /** JSON: names of what the write has changed. */
  @Column({ type: 'mediumtext' })
  changed!: string;

  /** `ts` of the revision that was brought back. */
  @TimeColumn({ nullable: true })
  rollbackOf!: number | null;

  /** Length of the snapshot before it was packed. */
  @Column({ type: 'int' })
  sizeBytes!: number;

  /** JSON, packed by gzip, which brings a checksum along. */
  @Column({ type: 'mediumblob' })
  snapshot!: Buffer;
}
