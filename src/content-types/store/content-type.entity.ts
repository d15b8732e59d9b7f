import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, TimeColumn, IdColumn } from '../../database/statements/columns.js';

/** A content type; its fields are rows of their own ({@link ContentField}). */
@Entity('content_types')
export class ContentType {
  @GeneratedId()
  readonly id!: number;

  @Index('u_content_types_name', { unique: true })
  @Column({ type: 'varchar', length: 64 })
  name!: string;

  /** JSON of `TypeOptions`. */
  @Column({ type: 'mediumtext' })
  options!: string;

  /** Grows with every change of the type or of its fields. */
  @Column({ type: 'int' })
  version!: number;

  /** Changes where the version does not say that what is remembered of the type is out of date. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  stamp!: string | null;

  @TimeColumn()
  createdAt!: number;

  @TimeColumn()
  updatedAt!: number;
}

/** One field of a content type. The id never changes, so a rename keeps the values. */
@Entity('content_fields')
@Index('u_content_fields_name', ['typeId', 'name'], { unique: true })
export class ContentField {
  @GeneratedId()
  readonly id!: number;

  @IdColumn()
  typeId!: number;

  @Column({ type: 'varchar', length: 64 })
  name!: string;

  @Column({ type: 'varchar', length: 16 })
  kind!: string;

  @Column({ type: 'int' })
  position!: number;

  /** JSON of `FieldOptions`. */
  @Column({ type: 'mediumtext' })
  options!: string;

  /** Unused. */
  @Column({ type: 'int', nullable: true })
  isIndexComplete!: number | null;
}
