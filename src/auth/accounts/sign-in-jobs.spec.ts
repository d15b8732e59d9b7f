import type { EntityManager } from 'typeorm';
import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import { Clock } from '../../common/clock.js';
import { dialectFor } from '../../database/dialect-for.js';
import { migrate } from '../../database/schema/migrate.js';
import { AgreedTime } from '../../database/units/agreed-time.js';
import { Reads } from '../../database/statements/reads.js';
import type { SqlValue } from '../../database/statements/statement.js';
import type { UnitOfWork } from '../../database/units/unit-of-work.js';
import { Writer } from '../../database/statements/writer.js';
import { SignInJobs } from './sign-in-jobs.js';

describe('The retention of API tokens', () => {
  let file: TestDatabase;
  let writer: Writer;

  beforeAll(async () => {
    file = createTestFile();
    writer = await Writer.open(dialectFor(file.address));
    await migrate(writer);
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await file.drop();
  });

  it('finds what has ended in an index alone', async () => {
    const plans: string[] = [];
    const explain = async (sql: string, values: readonly SqlValue[]): Promise<unknown[]> => {
      const steps = await writer.source.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, [...values]);
      plans.push(steps.map(({ detail }) => detail).join('; '));
      return [];
    };
    const manager = { query: explain } as unknown as EntityManager;
    const units = { run: (work: (given: EntityManager) => unknown) => work(manager) } as unknown as UnitOfWork;

    const [reads, clock] = [new Reads(writer.source), new Clock()];
    const time = new AgreedTime(reads, writer.dialect, clock);

    await new SignInJobs(units, time).dropOld();

    const ofTokens = plans.filter((plan) => plan.includes('api_tokens'));
    expect(ofTokens).toHaveLength(2);
    for (const plan of ofTokens) {
      expect(plan).toContain('SEARCH api_tokens USING COVERING INDEX i_api_tokens_end');
      expect(plan).not.toContain('SCAN ');
    }
  });
});
