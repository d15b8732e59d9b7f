import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn } from '../../database/statements/columns.js';

/** The record that an imported item became. */
@Entity('record_sources')
export class RecordSource {
  @PrimaryColumn({ type: 'varchar', length: 191 })
  source!: string;

  /** SHA-256 of the type and the key of the item. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  externalKey!: string;

  @IdColumn()
  recordId!: number;

  /** SHA-256 of the item as it was imported last. */
  @Column({ type: 'varchar', length: 64 })
  contentHash!: string;
}
