import { DefaultNamingStrategy, AbstractLogger } from 'typeorm';
import { declaredEntities } from './declared-entities.js';
import { migrations } from '../migrations/index.js';

/** `publishedAt` in a class is `published_at` in a table. */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    const name = customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...prefixes, name].join('_');
  }
}

/** TypeORM prints slow queries with their values even where logging is off; what fails reaches our own log anyway. */
class QuietLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing: values may be secrets, and lines of text do not belong into a log of JSON.
  }
}

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
