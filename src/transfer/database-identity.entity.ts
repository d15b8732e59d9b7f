import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The identity of this database: backups in one folder are named by it. One row, if such a backup was made. */
@Entity('database_identity')
export class DatabaseIdentity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  /** Random, in hexadecimal digits. */
  @Column({ type: 'varchar', length: 32 })
  identity!: string;
}
