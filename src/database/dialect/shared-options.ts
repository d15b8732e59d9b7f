import { declaredEntities } from '../schema/declared-entities.js';
import { migrations } from '../migrations/index.js';
import { SnakeCaseNaming } from '../schema/snake-case-naming.js';
import { QuietLogger } from '../schema/quiet-logger.js';

const all = [...migrations];

/** The options of every connection: the same tables, by the same names, changed by migrations only. */
export const sharedOptions = () =>
  ({
    entities: declaredEntities(),
    migrations: all,
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    migrationsRun: false,
    logging: false,
    logger: new QuietLogger(),
  }) as const;
