import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../../database/statements/columns.js';

/** The working copy of a record: what is to become of it, beside what it is. */
@Entity('record_drafts')
@Index('i_record_drafts_type', ['typeId', 'updatedAt', 'recordId'])
export class RecordDraft {
  @PrimaryColumn({ type: 'bigint' })
  recordId!: number;

  @IdColumn()
  typeId!: number;

  /** Grows with the time, so that no later copy of the record has the version of one that is gone. */
  @IdColumn()
  version!: number;

  /** The last version of the record on which all of the copy was based. */
  @Column({ type: 'int' })
  baseVersion!: number;

  /** JSON: what is to be, by `title`, `slug`, `body`, ids of fields, and `terms.` with a taxonomy (`overlay.ts`). */
  @Column({ type: 'mediumtext' })
  changes!: string;

  /** JSON by the same keys: what the record held when the change was made. */
  @Column({ type: 'mediumtext' })
  bases!: string;

  /** Ids of `actors`. */
  @IdColumn()
  createdBy!: number;

  @IdColumn()
  updatedBy!: number;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;
}
