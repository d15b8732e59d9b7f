import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../app/app.module.js';
import { declaredEntities } from './data-source.js';

describe('The entities of the application', () => {
  it('are all that stand in a file', () => {
    const folder = join(__dirname, '../..');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.entity.ts'),
    );
    const written = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^export class (\w+)/gm)].map(([, name]) => name),
    );

    expect(written.length).toBeGreaterThan(30);
    expect(declaredEntities().map((entity) => (typeof entity === 'string' ? entity : entity.name))).toEqual(
      written.toSorted(),
    );
  });
});
