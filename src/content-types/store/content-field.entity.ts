import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn } from '../../database/statements/columns.js';

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
