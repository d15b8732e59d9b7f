import { Column, Entity, PrimaryColumn } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../database/statements/columns.js';

/** What is known of the published records of one type in one part of the sitemap. */
@Entity('sitemap_parts')
export class SitemapPart {
  @PrimaryColumn({ type: 'bigint' })
  typeId!: number;

  @PrimaryColumn({ type: 'bigint' })
  part!: number;

  /** Records that are published and not in the trash. */
  @Column({ type: 'bigint' })
  urls!: number;

  /** Counts up with every change of one of them. */
  @Column({ type: 'bigint' })
  changes!: number;

  /** When the newest of the changes was. */
  @TimeColumn()
  changedAt!: number;
}

/** A change of a part that is not folded into it yet. */
@Entity('sitemap_part_deltas')
export class SitemapPartDelta {
  @GeneratedId()
  readonly id!: number;

  @IdColumn()
  typeId!: number;

  @IdColumn()
  part!: number;

  @Column({ type: 'int' })
  urls!: number;

  @Column({ type: 'int' })
  changes!: number;

  @TimeColumn()
  changedAt!: number;
}
