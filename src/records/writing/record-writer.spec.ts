import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { openDataSource } from '../../database/dialect/data-source.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import { Reads } from '../../database/statements/reads.js';
import { execute } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Writer } from '../../database/statements/writer.js';
import { RecordWriter, type GivesWay } from './record-writer.js';

const INSERT = "INSERT INTO actors (kind, ref, name) VALUES ('config', ?, 'a name')";

describe('A write of a record', () => {
  let database: TestDatabase;
  let writer: Writer;
  let reader: DataSource;
  let units: UnitOfWork;
  let post: CompiledType;
  let records: RecordWriter;

  beforeAll(async () => {
    database = await createTestDatabase();
    const dialect = dialectFor(database.address);
    writer = await Writer.open(dialect);
    await migrate(writer);
    reader = await openDataSource(dialect.readerOptions());
  });

  beforeEach(async () => {
    units = new UnitOfWork(writer);
    const types = new ContentTypesService(new Reads(reader), writer.dialect);
    post = await types.require('post');
    records = new RecordWriter(types, units, writer.dialect);
    await units.run((manager) => execute(manager, 'DELETE FROM actors'));
  });

  afterAll(async () => {
    await reader.destroy();
    await writer.onApplicationShutdown();
    await database.drop();
  });

  /** As another process would. */
  const changeType = () =>
    units.run((manager) => execute(manager, "UPDATE content_types SET version = version + 1 WHERE name = 'post'"));
  /** Writes the version of the type that it was begun with. */
  const write = (refuse: (current: CompiledType) => Error | null = () => null) =>
    records.write(
      post,
      ({ version }) => Promise.resolve({ version, givesWay: 'nothing' as const }),
      async ({ manager, type, plan: { version } }) => {
        await execute(manager, INSERT, [version]);
        const refusal = refuse(type);
        if (refusal) throw refusal;
        return version;
      },
    );
  const written = async () =>
    (await reader.query<{ ref: string }[]>('SELECT ref FROM actors')).map(({ ref }) => Number(ref));

  it('is committed when its type is as it was', async () => {
    expect(await write()).toBe(post.version);

    expect(await written()).toEqual([post.version]);
  });

  it('leaves nothing behind when its type has changed, and is done again on the type as it is by then', async () => {
    await changeType();

    expect(await write()).toBe(post.version + 1);

    expect(await written()).toEqual([post.version + 1]);
  });

  it('is not refused for what only the type of before has refused', async () => {
    await changeType();

    await write(({ version }) => (version === post.version ? new DomainError('slug_taken', 'Taken.') : null));

    expect(await written()).toEqual([post.version + 1]);
  });

  it('is refused for what the type of now refuses', async () => {
    await expect(write(() => new DomainError('slug_taken', 'Taken.'))).rejects.toMatchObject({ error: 'slug_taken' });

    expect(await written()).toEqual([]);
  });

  it('is done again when a statement fails on the type of before', async () => {
    await changeType();
    await units.run((manager) => execute(manager, INSERT, [post.version]));

    await write();

    expect(await written()).toEqual([post.version, post.version + 1]);
  });

  it.each([
    ['refused at once, though its slug would give way', 'slug', 1],
    ['planned anew, if that does without the value', 'all', 2],
  ] as const)('is, when another record has its unique value, %s', async (_, givesWay: GivesWay, most) => {
    let plans = 0;
    const plan = () => Promise.resolve({ givesWay, plans: (plans += 1) });
    const refused = new ValidationError([{ field: 'mail', rule: 'unique', message: 'Another record has this mail.' }]);

    const writing = records.write(post, plan, (attempt) =>
      attempt.plan.plans === 1 ? Promise.reject(refused) : Promise.resolve('written'),
    );

    await expect(writing.catch((error: unknown) => error)).resolves.toBe(most === 1 ? refused : 'written');
    expect(plans).toBe(most);
  });
});
