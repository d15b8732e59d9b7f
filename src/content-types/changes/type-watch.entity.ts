import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/statements/columns.js';

/** A change of a type under way that has to learn which records are written meanwhile (`type-watches.ts`). */
@Entity('type_watches')
export class TypeWatch {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @Index('i_type_watches_type')
  @IdColumn()
  typeId!: number;

  /** The end of the lease: a process that died does not renew it. */
  @TimeColumn()
  untilAt!: number;
}

/** A record that was written while its type was watched: one row for each write and watch. */
@Entity('type_watch_records')
@Index('i_type_watch_records', ['watchId', 'id'])
export class TypeWatchRecord {
  @GeneratedId()
  readonly id!: number;

  @Column({ type: 'varchar', length: 36 })
  watchId!: string;

  @IdColumn()
  recordId!: number;
}
