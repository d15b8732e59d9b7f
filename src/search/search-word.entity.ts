import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A word of the index, to be found by how it begins and how it ends. */
@Entity('search_words')
@Index('i_search_words_reversed', ['reversed', 'size'])
export class SearchWord {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  word!: string;

  @Column({ type: 'varchar', length: 40 })
  reversed!: string;

  /** Number of its letters. */
  @Column({ type: 'int' })
  size!: number;
}
