import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, TimeColumn } from '../../database/statements/columns.js';

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
