import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('doctor names users that a statement by hand has spoilt', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    await query(
      "INSERT INTO users (id, email, email_key, name, role, created_at, updated_at) VALUES (7, 'ann@example.com', 'ann@example.com', 'Ann', 'viewer', 5, 5)",
    );
  });
  afterAll(() => service.close());

  const query = (sql: string, values: readonly SqlValue[] = []): Promise<unknown> =>
    service.app.get(Writer, { strict: false }).source.query(sql, [...values]);
  const usersIn = (out: string): string[] =>
    out.split('\n').flatMap((line) => /^(?:ok|fail) +users +(.*)$/.exec(line)?.[1] ?? []);

  it.each([
    ['role', 'boss', 'one of viewer, author, editor, admin'],
    ['issuer_role', 'Admin', 'NULL or one of viewer, author, editor, admin'],
    ['email', '', 'a text'],
    ['name', ' ', 'a text'],
    ['created_at', -5, 'a time in milliseconds since 1970'],
    ['disabled_at', -1, 'NULL or a time in milliseconds since 1970'],
    ['password_changed_at', 9_000_000_000_000_000, 'NULL or a time in milliseconds since 1970'],
    // Only SQLite keeps a text in the place of a number.
    ...(isServer ? [] : [['disabled_at', 'yesterday', 'NULL or a time in milliseconds since 1970'] as const]),
  ] as const)('by %s = %s', async (column, broken, expected) => {
    await query(`UPDATE users SET ${column} = ? WHERE id = 7`, [broken]);

    const { code, out } = await run('doctor');

    expect(usersIn(out)).toEqual([
      expect.stringMatching(/^Columns of users hold what they cannot: 1\. .* UPDATE of the table users/),
      `user 7: ${column} has to be ${expected}`,
    ]);
    expect(code).toBe(1);
    const sound: Record<string, SqlValue> = { role: 'viewer', email: 'ann@example.com', name: 'Ann', created_at: 5 };
    await query(`UPDATE users SET ${column} = ? WHERE id = 7`, [sound[column] ?? null]);
    expect(usersIn((await run('doctor')).out)).toEqual(['the rows of all users are as they are written']);
  });
});
