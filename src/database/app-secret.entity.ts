import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from './statements/columns.js';

/** The secret that the processes of the service share, as far as it takes to recognise another one. One row. */
@Entity('app_secret')
export class AppSecretEntity {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  /** See `fingerprintOf`. */
  @Column({ type: 'varchar', length: 64 })
  fingerprint!: string;

  @TimeColumn()
  changedAt!: number;
}
