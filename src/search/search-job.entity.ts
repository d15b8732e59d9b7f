import { Column, Entity } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../database/statements/columns.js';

/** Indexing that is still to be done, and how far it has come. */
@Entity('search_jobs')
export class SearchJob {
  @GeneratedId()
  readonly id!: number;

  /** `all`, or `type` or `term` with the id of which one. */
  @Column({ type: 'varchar', length: 8 })
  kind!: 'all' | 'type' | 'term';

  /** The type or the term; 0: none. */
  @IdColumn()
  targetId!: number;

  /** Id of the last record that is done. */
  @IdColumn()
  position!: number;

  /** Id of the last record there was when the work began; `null`: it has not begun. */
  @IdColumn({ nullable: true })
  endAt!: number | null;

  @TimeColumn()
  createdAt!: number;
}
