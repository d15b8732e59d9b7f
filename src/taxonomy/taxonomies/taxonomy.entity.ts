import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/statements/columns.js';

/** A way to order records by terms, such as categories or tags. */
@Entity('taxonomies')
export class TaxonomyEntity {
  @GeneratedId()
  readonly id!: number;

  @Index('u_taxonomies_name', { unique: true })
  @Column({ type: 'varchar', length: 64 })
  name!: string;

  @Column({ type: 'varchar', length: 255 })
  label!: string;

  @Column({ type: 'varchar', length: 255 })
  labelPlural!: string;

  @Column({ type: 'varchar', length: 1_000 })
  description!: string;

  /** True if terms can have terms below them. */
  @Column({ type: 'int', transformer: { to: Number, from: Boolean } })
  isHierarchical!: boolean;

  /** Grows with every change of the taxonomy itself; its terms do not count. */
  @Column({ type: 'int' })
  version!: number;

  /** The time at which a term was last renamed, moved, merged or deleted; grows with each of them. */
  @TimeColumn()
  termsChangedAt!: number;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;
}

/** One term of a taxonomy. */
@Entity('terms')
@Index('u_terms_slug', ['taxonomy', 'slug'], { unique: true })
@Index('i_terms_sort', ['taxonomy', 'sortKey'])
@Index('i_terms_name', ['taxonomy', 'nameKey'])
export class Term {
  @GeneratedId()
  readonly id!: number;

  @Column({ type: 'varchar', length: 64 })
  taxonomy!: string;

  @Column({ type: 'varchar', length: 191 })
  slug!: string;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  /** The name without case and marks, to search by its beginning. */
  @Column({ type: 'varchar', length: 255 })
  nameKey!: string;

  @Column({ type: 'mediumtext', nullable: true })
  description!: string | null;

  @Index('i_terms_parent')
  @IdColumn({ nullable: true })
  parentId!: number | null;

  /** Place among those with the same parent; terms of equal place go by name. */
  @Column({ type: 'int' })
  position!: number;

  /** Slugs from the root to the term: `news/world`. */
  @Column({ type: 'varchar', length: 2_000 })
  path!: string;

  /** Orders the terms of a taxonomy as a tree is read; those under a term begin with its key (`term-keys.ts`). */
  @Column({ type: 'varchar', length: 690 })
  sortKey!: string;

  /** 1 for a term without a parent. */
  @Column({ type: 'int' })
  depth!: number;

  /** 1: it was made or changed by hand; `null`: it was made by being assigned, or it is not known. */
  @Column({ type: 'int', nullable: true })
  madeByHand!: number | null;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;
}

/** The term in the place of one that is gone. */
@Entity('term_redirects')
@Index('i_term_redirects_slug', ['taxonomy', 'slug'])
export class TermRedirect {
  @IdColumn({ primary: true })
  termId!: number;

  @Column({ type: 'varchar', length: 64 })
  taxonomy!: string;

  /** The slug that the term had. */
  @Column({ type: 'varchar', length: 191 })
  slug!: string;

  /** The term it was merged into; `null`: it was deleted, and records may still hold it. */
  @Index('i_term_redirects_into')
  @IdColumn({ nullable: true })
  intoId!: number | null;

  /** 1: records may still hold the term. */
  @Index('i_term_redirects_pending')
  @Column({ type: 'int' })
  isPending!: number;
}
