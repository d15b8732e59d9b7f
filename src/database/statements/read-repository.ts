import type { ObjectLiteral, Repository } from 'typeorm';

/**
 * What a service may do with an injected repository: look, not touch.
 * Writes go through `UnitOfWork`, so that none can slip into a transaction of another caller.
 */
export type ReadRepository<Entity extends ObjectLiteral> = Pick<
  Repository<Entity>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'findAndCount' | 'count' | 'countBy' | 'existsBy' | 'createQueryBuilder'
>;
