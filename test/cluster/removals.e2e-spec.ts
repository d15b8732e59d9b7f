import type { Response } from 'supertest';
import { setTimeout as sleep } from 'node:timers/promises';
import { TypeStore } from '../../src/content-types/store/type-store.js';
import { RecordListeners } from '../../src/records/writing/record-listeners.js';
import { TermJobs } from '../../src/taxonomy/removal/term-jobs.js';
import { call, Child, production } from '../support/child-service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { Backlog, prepareBacklogs } from './backlog.js';
import { Galera } from './galera.js';

const ROUNDS = 5;
/** By then another node has committed what it does at once, and this one is still busy with what came before. */
const MOMENT_MS = 400;

/**
 * What is removed through one node at the moment at which it is taken through another: that one has written and not
 * committed yet, and what the first one has committed waits there behind a backlog.
 */
describe('What is removed through one node of a cluster', () => {
  let cluster: Galera;
  let instances: TestApp[] = [];

  beforeAll(async () => {
    cluster = await Galera.start();
    await cluster.createDatabase('cms');
    await prepareBacklogs(cluster);
    instances = await Promise.all(
      cluster.nodes.map((node) => startTestApp({ DATABASE_URL: node.url('cms'), RATE_LIMITS: 'off' })),
    );
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await cluster.stop();
  });

  function instance(n: number): TestApp {
    const found = instances[n];
    if (!found) throw new Error(`There is no instance ${n}.`);
    return found;
  }
  const on = (n: number) => instance(n).http();
  const begun = (request: PromiseLike<Response>): Promise<Response> => Promise.resolve(request.then((done) => done));

  async function count(sql: string): Promise<number> {
    return Number((await cluster.node(0).latest(`SELECT COUNT(*) AS n FROM cms.${sql}`))[0]?.n);
  }

  /** A place where the first unit of work waits, before it commits. */
  function aStop() {
    let [arrive, goOn] = [(): void => undefined, (): void => undefined];
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const released = new Promise<void>((resolve) => (goOn = resolve));
    return {
      arrived,
      release: goOn,
      pass: () => {
        arrive();
        return released;
      },
    };
  }

  /** Units of work of the second instance that write a record, or declare a type, stop with everything written. */
  function stopOf(what: 'record' | 'type') {
    const stop = aStop();
    const { app } = instance(1);
    if (what === 'type') {
      const store = app.get(TypeStore);
      const holdTargets = store.holdTargets.bind(store);
      jest.spyOn(store, 'holdTargets').mockImplementation(async (manager, draft) => {
        await holdTargets(manager, draft);
        await stop.pass();
      });
    } else {
      const listeners = app.get(RecordListeners);
      const written = listeners.written.bind(listeners);
      jest.spyOn(listeners, 'written').mockImplementation(async (manager, changes) => {
        await written(manager, changes);
        await stop.pass();
      });
    }
    return stop;
  }

  /**
   * @param touch changes a row that the removal writes too
   * @returns how the removal, and how what takes it ends
   */
  async function together(
    what: 'record' | 'type',
    touch: string,
    remove: () => PromiseLike<unknown>,
    take: () => PromiseLike<Response>,
  ): Promise<[unknown, Response]> {
    const backlog = await Backlog.on(cluster.node(0), touch);
    const stop = stopOf(what);
    const taking = begun(take());
    await stop.arrived;
    await backlog.commit();
    const removal = Promise.resolve(remove());
    await Promise.race([removal, sleep(MOMENT_MS)]);
    stop.release();
    const ends = await Promise.all([removal, taking]);
    jest.restoreAllMocks();
    return ends;
  }

  async function aTag(name: string): Promise<number> {
    const { body } = await on(0).post('/api/cms/taxonomy').send({ type: 'tag', name }).expect(201);
    const { id } = body.data as { id: number };
    while ((await on(1).get(`/api/cms/taxonomy/tag/${id}`)).status !== 200) await sleep(20);
    return id;
  }

  const touchTags = "UPDATE cms.taxonomies SET held = held + 1 WHERE name = 'tag'";
  const aRecordWith = (termId: number) => () =>
    on(1)
      .post('/api/cms/post')
      .send({ title: 'A record', terms: { tag: [termId] } });
  const holders = (termId: number) => count(`record_fields WHERE field_id = 0 AND num = ${termId}`);
  const letTimePass = () => cluster.node(0).query('UPDATE cms.term_redirects SET sweep_at = 1 WHERE sweep_at > 0');

  /** What is wrong with a record that had one term, of which nothing may be left. */
  async function expectReleased(id: number, termId: number): Promise<void> {
    const sums = (table: string, column: string) =>
      `COALESCE((SELECT SUM(${column}) FROM cms.${table} WHERE term_id = ${termId}), 0)`;
    const [row] = await cluster.node(2).latest(
      `SELECT r.version, c.terms, ${sums('term_counts', 'n')} + ${sums('record_deltas', 'd')} AS counted,
                (SELECT COUNT(*) FROM cms.revisions WHERE record_id = r.id) AS revisions
           FROM cms.records r JOIN cms.record_contents c ON c.record_id = r.id WHERE r.id = ${id}`,
    );
    expect([row?.version, row?.terms, Number(row?.counted), row?.revisions]).toEqual([2, null, 0, 2]);
    expect(await holders(termId)).toBe(0);
    expect(await count(`term_redirects WHERE term_id = ${termId}`)).toBe(0);
  }

  it(`leaves no record with a term that is gone behind the sweep, in each of ${ROUNDS} rounds`, async () => {
    const late: [record: number, term: number][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const termId = await aTag(`gone ${round}`);
      const remove = () => on(0).delete(`/api/cms/taxonomy/tag/${termId}?force=true`).expect(204);
      const [, taken] = await together('record', touchTags, remove, aRecordWith(termId));
      // Refused, where it came too late.
      expect([201, 422, 503]).toContain(taken.status);
      if (taken.status === 201 && (await holders(termId)) === 1) late.push([taken.body.data.id as number, termId]);
    }
    process.stdout.write(`a term removed: ${late.length} of ${ROUNDS} records took it at that moment\n`);
    expect(late.length).toBeGreaterThan(0);

    await letTimePass();
    await cluster.node(2).latest('SELECT 1');
    await instance(2).app.get(TermJobs).sweep();

    for (const [id, termId] of late) await expectReleased(id, termId);
  });

  it('sweeps for an instance that was killed', async () => {
    const termId = await aTag('unheld');
    const killed = new Child('main.js', [], production({ url: cluster.node(0).url('cms') }));
    const address = await killed.address();
    const remove = async (): Promise<void> => {
      const { status } = await call(address, 'DELETE', `/api/cms/taxonomy/tag/${termId}?force=true`);
      expect(status).toBe(204);
      await killed.kill('SIGKILL');
    };

    const [, taken] = await together('record', touchTags, remove, aRecordWith(termId));

    expect([taken.status, await holders(termId)]).toEqual([201, 1]);
    await letTimePass();
    while ((await count(`term_redirects WHERE term_id = ${termId}`)) > 0) await sleep(500);
    await expectReleased(taken.body.data.id as number, termId);
  });

  it(`is a taxonomy or named by a type, and not both, in each of ${ROUNDS} rounds`, async () => {
    const outcomes: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [taxonomy, type] = [`way-${round}`, `wayward-${round}`];
      await on(0).post('/api/admin/taxonomies').send({ name: taxonomy }).expect(201);
      await on(0).post('/api/cms/taxonomy').send({ type: taxonomy, name: 'A term' }).expect(201);
      while ((await on(1).get(`/api/cms/taxonomy/${taxonomy}`)).status !== 200) await sleep(20);

      const [removed, declared] = await together(
        'type',
        `UPDATE cms.terms SET held = held + 1 WHERE taxonomy = '${taxonomy}'`,
        () => on(0).delete(`/api/admin/taxonomies/${taxonomy}?confirm=${taxonomy}`),
        () =>
          on(1)
            .post('/api/admin/types')
            .send({ name: type, taxonomies: [taxonomy], fields: [] }),
      );

      const isThere = await count(`taxonomies WHERE name = '${taxonomy}'`);
      outcomes.push([(removed as Response).status, declared.status, isThere]);
    }

    process.stdout.write(`a taxonomy removed while a type takes it: ${JSON.stringify(outcomes)}\n`);
    const right = new Set(['204,422,0', '204,503,0', '409,201,1']);
    expect(outcomes.filter((outcome) => !right.has(String(outcome)))).toEqual([]);
  });

  it(`is no kind of field that the first record has a value of, in each of ${ROUNDS} rounds`, async () => {
    const outcomes: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const type = `kindly-${round}`;
      const declare = { name: type, fields: [{ name: 'a', type: 'string' }] };
      await on(0).post('/api/admin/types').send(declare).expect(201);
      while ((await on(1).get(`/api/cms/${type}`)).status !== 200) await sleep(20);

      const [changed, created] = await together(
        'record',
        `UPDATE cms.content_fields SET options = CONCAT(options, ' ')
          WHERE type_id = (SELECT id FROM cms.content_types WHERE name = '${type}')`,
        () =>
          on(0)
            .put(`/api/admin/types/${type}`)
            .send({ fields: [{ name: 'a', type: 'integer' }] }),
        () => on(1).post(`/api/cms/${type}`).send({ title: 'The first', a: 'a text' }),
      );

      outcomes.push([(changed as Response).status, created.status]);
    }

    process.stdout.write(`a field changed while the first record is written: ${JSON.stringify(outcomes)}\n`);
    const right = new Set(['200,422', '200,503', '422,201']);
    expect(outcomes.filter((outcome) => !right.has(String(outcome)))).toEqual([]);
  });
});
