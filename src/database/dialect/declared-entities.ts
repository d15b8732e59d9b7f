import { getMetadataArgsStorage } from 'typeorm';
import type { TableMetadataArgs } from 'typeorm/metadata-args/TableMetadataArgs.js';

type Entity = TableMetadataArgs['target'];

/**
 * The tables of all features that are loaded, in the order of their classes' names. The module of a feature registers
 * its own (`TypeOrmModule.forFeature`): what works on all tables, such as a backup, runs where `AppModule` is loaded.
 */
export function declaredEntities(): Entity[] {
  const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
  return entities.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf(entity: Entity): string {
  return typeof entity === 'string' ? entity : entity.name;
}
