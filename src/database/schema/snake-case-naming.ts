import { DefaultNamingStrategy } from 'typeorm';

/** `publishedAt` in a class is `published_at` in a table. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    const name = customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...prefixes, name].join('_');
  }
}
