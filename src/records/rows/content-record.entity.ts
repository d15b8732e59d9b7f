import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GeneratedId, IdColumn, TimeColumn } from '../../database/statements/columns.js';

/** The narrow row of a record: all that a list needs to find, sort and count it. */
@Entity('records')
@Index('u_records_slug', ['typeId', 'slug', 'locale'], { unique: true })
@Index('i_records_created', ['typeId', 'trashedAt', 'createdAt', 'id'])
@Index('i_records_status', ['typeId', 'status', 'trashedAt', 'createdAt', 'id'])
@Index('i_records_updated', ['typeId', 'trashedAt', 'updatedAt', 'id'])
@Index('i_records_published', ['typeId', 'status', 'trashedAt', 'publishedAt', 'id'])
@Index('i_records_title', ['typeId', 'trashedAt', 'titleKey', 'id'])
export class ContentRecord {
  @GeneratedId()
  readonly id!: number;

  @IdColumn()
  typeId!: number;

  @Column({ type: 'varchar', length: 12 })
  locale!: string;

  /** `null` while the record is in the trash: its slug is free then. */
  @Column({ type: 'varchar', length: 191, nullable: true })
  slug!: string | null;

  @Column({ type: 'varchar', length: 255 })
  title!: string;

  /** The folded head of the title, for sorting. */
  @Column({ type: 'varchar', length: 64 })
  titleKey!: string;

  @Column({ type: 'varchar', length: 16 })
  status!: string;

  @Column({ type: 'int' })
  version!: number;

  /** Ids of `actors`. */
  @IdColumn()
  createdBy!: number;

  @IdColumn()
  updatedBy!: number;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;

  @TimeColumn({ nullable: true })
  publishedAt!: number | null;

  /** The time that it gets back when it is published again: the `published_at` that it had before it became a draft. */
  @TimeColumn({ nullable: true })
  firstPublishedAt!: number | null;

  /** 0: not in the trash. A number and not `null`, so that it can lead an index. */
  @TimeColumn({ default: 0 })
  trashedAt!: number;
}

/** The wide part of a record, which lists read only when they are asked for it. */
@Entity('record_contents')
export class RecordContent {
  @PrimaryColumn({ type: 'bigint' })
  recordId!: number;

  @Column({ type: 'mediumtext', nullable: true })
  body!: string | null;

  /** JSON: values of the type's own fields, keyed by field id. */
  @Column({ type: 'mediumtext' })
  data!: string;

  /** The slug that a record in the trash gets back when it is restored. */
  @Column({ type: 'varchar', length: 191, nullable: true })
  trashedSlug!: string | null;

  /** JSON: ids of its terms by taxonomy, in the order they were assigned; `null`: none. */
  @Column({ type: 'text', nullable: true })
  terms!: string | null;
}

/** One value of an indexed field, with the time by which lists sort. */
@Entity('record_fields')
@Index('i_record_fields_num', ['fieldId', 'num', 'sortAt', 'recordId'])
@Index('i_record_fields_str', ['fieldId', 'str', 'recordId'])
@Index('i_record_fields_sort', ['fieldId', 'sortKey', 'sortAt', 'recordId'])
@Index('u_record_fields_unique', ['fieldId', 'uniqueKey'], { unique: true })
export class RecordField {
  @PrimaryColumn({ type: 'bigint' })
  recordId!: number;

  @PrimaryColumn({ type: 'bigint' })
  fieldId!: number;

  /** Position within a list. */
  @PrimaryColumn({ type: 'int' })
  pos!: number;

  /** Numbers, booleans, times and ids of related records. */
  @Column({ type: 'double', nullable: true })
  num!: number | null;

  /** Texts, cut to what an index can hold. */
  @Column({ type: 'varchar', length: 191, nullable: true })
  str!: string | null;

  /** Folded texts, by which lists are sorted. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  sortKey!: string | null;

  /** SHA-256 of the value of a unique field; `null` where values may repeat. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  uniqueKey!: string | null;

  /** `created_at` of the record. */
  @TimeColumn()
  sortAt!: number;
}

/** The number of records of a type that have a status, apart from the deltas not yet folded in. */
@Entity('record_counts')
export class RecordCount {
  @PrimaryColumn({ type: 'bigint' })
  typeId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 })
  status!: string;

  @IdColumn()
  n!: number;
}

/** The number of records of a type that hold a term and have a status, apart from the deltas not yet folded in. */
@Entity('term_counts')
export class TermCount {
  @PrimaryColumn({ type: 'bigint' })
  termId!: number;

  @PrimaryColumn({ type: 'bigint' })
  typeId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 })
  status!: string;

  @IdColumn()
  n!: number;
}

/** Records that have joined those of a type and status, or have left them, and are not yet counted (`record-counts.ts`). */
@Entity('record_deltas')
@Index('i_record_deltas', ['termId', 'typeId', 'status', 'd'])
export class RecordDelta {
  @GeneratedId()
  readonly id!: number;

  @IdColumn()
  typeId!: number;

  @Column({ type: 'varchar', length: 16 })
  status!: string;

  /** 0: all records, and not those of a term. */
  @IdColumn()
  termId!: number;

  @Column({ type: 'int' })
  d!: number;
}

/** An author of records, by the name they had when they last wrote. */
@Entity('actors')
@Index('u_actors_ref', ['kind', 'ref'], { unique: true })
@Index('i_actors_renamed', ['renamedAt'])
export class Actor {
  @GeneratedId()
  readonly id!: number;

  /** `user`, `token`, or `config` for a token of the configuration. */
  @Column({ type: 'varchar', length: 8 })
  kind!: string;

  /** The id of a user or token, or the name of a token of the configuration. */
  @Column({ type: 'varchar', length: 191 })
  ref!: string;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  /** The time at which they got another name; later than any write under the one before. `null`: never. */
  @TimeColumn({ nullable: true })
  renamedAt!: number | null;
}
