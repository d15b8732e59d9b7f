import type { ObjectLiteral, Repository } from 'typeorm';

/**
 * An injected repository as a service may use it: to read.
 * Writes go through `UnitOfWork`, so that none can slip into a transaction of another caller.
 */
export type ReadRepository<Entity extends ObjectLiteral> = Pick<
  Repository<Entity>,
  | 'find'
  | 'findBy'
  | 'findOne'
  | 'findOneBy'
  | 'findAndCount'
  | 'count'
  | 'countBy'
  | 'exists'
  | 'existsBy'
  | 'createQueryBuilder'
>;
