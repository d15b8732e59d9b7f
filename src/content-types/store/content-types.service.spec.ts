import type { DataSource, EntityManager } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { openDataSource } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import { Reads } from '../../database/statements/reads.js';
import { execute } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Writer } from '../../database/statements/writer.js';
import { ContentTypesService, StaleTypeError } from './content-types.service.js';

describe('ContentTypesService', () => {
  let database: TestDatabase;
  let writer: Writer;
  let reader: DataSource;
  let unitOfWork: UnitOfWork;
  let types: ContentTypesService;

  beforeAll(async () => {
    database = await createTestDatabase();
    const dialect = dialectFor(database.address);
    writer = await Writer.open(dialect);
    await migrate(writer);
    reader = await openDataSource(dialect.readerOptions());
    unitOfWork = new UnitOfWork(writer);
    types = new ContentTypesService(new Reads(reader), dialect);
  });

  afterAll(async () => {
    await reader.destroy();
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const bump = (manager: EntityManager): Promise<unknown> =>
    execute(manager, `UPDATE content_types SET version = version + 1 WHERE name = 'post'`);

  it('knows post and page from the start', async () => {
    const names = (await types.all()).map(({ name }) => name);

    expect(names).toEqual(['page', 'post']);
    expect((await types.require('post')).taxonomies).toEqual(['category', 'tag']);
  });

  it.each(['nothing', '__proto__', 'toString'])('does not know %s', async (name) => {
    await expect(types.require(name)).rejects.toMatchObject({ error: 'type_not_found' });
  });

  it('shows a change after a refresh and keeps what did not change', async () => {
    const [post, page] = [await types.require('post'), await types.require('page')];

    await unitOfWork.run(bump);
    types.refresh();

    expect((await types.require('post')).version).toBe(post.version + 1);
    expect(await types.require('page')).toBe(page);
    expect(await types.byId(page.id)).toBe(page);
  });

  it('lets a unit of work go on with a type that is current', async () => {
    const post = await types.require('post');

    await expect(unitOfWork.run((manager) => types.requireCurrent(manager, post))).resolves.toBeUndefined();
  });

  it('stops a unit of work whose type has changed, and reads it anew', async () => {
    const post = await types.require('post');
    await unitOfWork.run(bump);

    await expect(unitOfWork.run((manager) => types.requireCurrent(manager, post))).rejects.toThrow(StaleTypeError);

    expect((await types.require('post')).version).toBe(post.version + 1);
  });
});
