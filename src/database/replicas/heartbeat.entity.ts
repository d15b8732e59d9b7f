import { Entity, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../statements/columns.js';

/** The last heartbeat: a copy of the database that has it has all that was committed before. */
@Entity('heartbeats')
export class Heartbeat {
  /** There is one row. */
  @PrimaryColumn({ type: 'int' })
  id!: number;

  /** By the clock of the database; each heartbeat is later than the one before. */
  @TimeColumn()
  at!: number;
}
