import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The identity of this database: OpenSearch is fed as it, and backups are named by it. One row, where one of them was done. */
@Entity('search_feed')
export class SearchFeed {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  /** Random, in hexadecimal digits. */
  @Column({ type: 'varchar', length: 32 })
  identity!: string;

  /** The last number that an index was given; none is given twice. */
  @Column({ type: 'int' })
  lastNumber!: number;
}
