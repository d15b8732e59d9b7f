import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../statements/columns.js';

/** A process that answers requests on this database. Its times are those of the clock of the database. */
@Entity('instances')
export class Instance {
  /** Random, and new with each start. */
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  /** Of the program. */
  @Column({ type: 'varchar', length: 64 })
  version!: string;

  /** The newest migration that the program knows. */
  @Column({ type: 'varchar', length: 64 })
  schemaName!: string;

  /** The name of its machine or container. */
  @Column({ type: 'varchar', length: 255 })
  host!: string;

  @TimeColumn()
  startedAt!: number;

  /** When it last said that it lives. */
  @TimeColumn()
  seenAt!: number;
}
