import { Column, PrimaryGeneratedColumn, type ColumnOptions, type ValueTransformer } from 'typeorm';

/** MySQL hands a bigint out as text; ids and times stay below 2^53 and are numbers here. */
const asNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
};

/** A 64-bit id that the database assigns. */
export const GeneratedId = (): PropertyDecorator => {
  const generated = PrimaryGeneratedColumn('increment', { type: 'bigint' });
  const numeric = Column({ type: 'bigint', transformer: asNumber, primary: true });
  return (target, property) => {
    numeric(target, property);
    generated(target, property);
  };
};

export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'bigint', ...options, transformer: asNumber });

/** An instant: milliseconds since 1970, UTC. Plain numbers keep their milliseconds on every database. */
export const TimeColumn = (options: ColumnOptions = {}): PropertyDecorator => IdColumn(options);
