import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../statements/columns.js';

/** A kind of work that one process of the service does at a time, and that process. */
@Entity('leases')
export class Lease {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name!: string;

  /** The process that has it, or had it last. */
  @Column({ type: 'varchar', length: 36 })
  owner!: string;

  /** Grows each time that it is taken: what a former holder still writes is recognised by it. */
  @Column({ type: 'int' })
  epoch!: number;

  /** By the clock of the database; from then on another process may take it. */
  @TimeColumn()
  untilAt!: number;
}
