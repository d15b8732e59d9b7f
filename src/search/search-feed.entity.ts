import { Column, Entity, PrimaryColumn } from 'typeorm';

/** As which database OpenSearch is fed from this one. One row, of a database that feeds it. */
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
