import { join } from 'node:path';
import { Child, production, SECRETS } from '../support/child-service.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

const KILL_AT = join(__dirname, '../support/kill-at.mjs');
const ROUNDS = 50;

/** The statements of a unit that publishes a working copy, in their order. */
const RECORD = 'UPDATE records SET';
const REVISION = 'INTO revisions';
const COPY = 'DELETE FROM record_drafts';
const COMMIT = 'COMMIT';

/** Where the process ends, and whether the copy is public by then. */
interface Death {
  readonly at: readonly string[];
  readonly when: 'asked' | 'answered';
  readonly isMade: boolean;
}

const DEATHS: Readonly<Record<string, Death>> = {
  'before the record is written': { at: [RECORD], when: 'asked', isMade: false },
  'when the record is written': { at: [RECORD], when: 'answered', isMade: false },
  'before the revision is written': { at: [RECORD, REVISION], when: 'asked', isMade: false },
  'before the copy is used up': { at: [RECORD, COPY], when: 'asked', isMade: false },
  'when the copy is used up': { at: [RECORD, COPY], when: 'answered', isMade: false },
  'before the commit': { at: [RECORD, COPY, COMMIT], when: 'asked', isMade: false },
  'behind the commit': { at: [RECORD, COPY, COMMIT], when: 'answered', isMade: true },
};

const children: Child[] = [];

function started(database: TestDatabase, death?: Death): Child {
  const doom = death && {
    NODE_OPTIONS: `--import=${KILL_AT}`,
    KILL_AT: JSON.stringify({ at: death.at, when: death.when }),
  };
  const child = new Child('main.js', [], { ...production(database), RATE_LIMITS: 'off', ...doom });
  children.push(child);
  return child;
}

interface Answer {
  readonly status: number;
  readonly etag: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON the service answers
  readonly body: any;
}

async function send(address: string, request: string, body?: object, ifMatch = '*'): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${address}/api/cms/post${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${SECRETS.token}`,
      'Content-Type': 'application/json',
      ...(method === 'PATCH' ? { 'If-Match': ifMatch } : {}),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: await answer.json() };
}

describe('Working copies of services that', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill('SIGKILL');
  });
  afterAll(() => database.drop());

  const published = async (address: string): Promise<number> =>
    (await send(address, 'POST ', { title: 'Before', status: 'published' })).body.data.id;
  const stateOf = async (address: string, id: number) => {
    const live = (await send(address, `GET /${id}`)).body.data;
    const { status, body } = await send(address, `GET /${id}/draft`);
    const { total } = (await send(address, `GET /${id}/revisions`)).body.meta;
    return {
      title: live.title,
      version: live.version,
      revisions: total,
      copy: status === 200 ? body.data.title : null,
    };
  };

  it.each(Object.entries(DEATHS))(
    'are killed while they publish, %s, are public as a whole or not at all',
    async (_, death) => {
      const setUp = started(database);
      const id = await published(await setUp.address());
      await send(await setUp.address(), `PATCH /${id}/draft`, { title: 'After' });
      await setUp.kill('SIGKILL');

      const doomed = started(database, death);
      await expect(send(await doomed.address(), `POST /${id}/publish`)).rejects.toThrow('fetch failed');
      expect(await doomed.ended).toMatchObject({ signal: 'SIGKILL' });
      const address = await started(database).address();
      const found = await stateOf(address, id);
      const again = await send(address, `POST /${id}/publish`);

      const done = { title: 'After', version: 2, revisions: 2, copy: null };
      expect(found).toEqual(death.isMade ? done : { title: 'Before', version: 1, revisions: 1, copy: 'After' });
      expect(again.status).toBe(200);
      expect(await stateOf(address, id)).toEqual(done);
    },
  );

  it('run beside each other: of each save and publication at one moment one wins, and nothing is lost', async () => {
    const [one, other] = await Promise.all([started(database).address(), started(database).address()]);
    const id = await published(one);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { etag } = await send(one, `PATCH /${id}/draft`, { title: `First ${round}` });

      const [saved, publication] = await Promise.all([
        send(one, `PATCH /${id}/draft`, { title: `Second ${round}` }, etag),
        send(other, `POST /${id}/publish`),
      ]);

      const { title, copy } = await stateOf(one, id);
      const isSavedFirst = saved.status === 200;
      expect([publication.status, isSavedFirst ? 200 : saved.status]).toEqual([200, isSavedFirst ? 200 : 412]);
      expect([round, title, copy]).toEqual([round, `${isSavedFirst ? 'Second' : 'First'} ${round}`, null]);
    }
  });
});
