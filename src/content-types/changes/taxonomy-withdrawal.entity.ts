import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, IdColumn } from '../../database/statements/columns.js';

/** A taxonomy that a type no longer has, while records of the type may still hold its terms. */
@Entity('type_departures')
export class TaxonomyWithdrawal {
  @GeneratedId()
  readonly id!: number;

  @Index('i_type_departures_type')
  @IdColumn()
  typeId!: number;

  @Column({ type: 'varchar', length: 64 })
  taxonomy!: string;
}
