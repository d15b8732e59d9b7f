import { Writer } from '../../src/database/statements/writer.js';
import { TOKENS, type TestApp } from '../support/test-app.js';
import type { Conversation } from './conversation.js';
import { bodyOf, createRecord } from './records.walk.js';

/** Every answer that the routes of revisions of one type can give. */
export async function goThroughRevisions(talk: Conversation, type: string): Promise<void> {
  const { id } = await createRecord(talk, type, { ...bodyOf(type, 21), body: 'One text.' });
  const record = `/api/cms/${type}/${id}`;
  await talk.expectStatus(200, `PUT ${record}`, { body: { body: 'Another text.' } });
  const { body } = await talk.expectStatus(200, `GET ${record}/revisions`);
  const [second, first] = (body.data as { ts: number }[]).map(({ ts }) => ts);
  const revision = `${record}/revisions/${second}`;

  for (const path of [`${record}/revisions`, revision, `${revision}/diff`, `${revision}/diff?against=${first}`]) {
    await talk.unchanged(`GET ${path}`);
    await talk.expectStatus(403, `GET ${path}`, { token: TOKENS.reader });
    await talk.expectStatus(404, `GET ${path.replace(`/${id}/`, '/99999/')}`);
    await talk.expectStatus(400, `GET ${path.replace(/\?.*/, '')}?no_such=1`);
  }
  await talk.expectStatus(200, `GET ${record}/revisions/${first}/diff`);
  await goThroughRollback(talk, record, first ?? 0);
  await refuseVagueTimes(talk, record);
}

/** A revision whose bytes are not the ones that were written. */
export async function goThroughDamage(talk: Conversation, { app }: TestApp, type: string): Promise<void> {
  const { id } = await createRecord(talk, type, bodyOf(type, 22));
  const { body } = await talk.expectStatus(200, `GET /api/cms/${type}/${id}/revisions`);
  const [{ ts } = { ts: 0 }] = body.data as { ts: number }[];
  await app
    .get(Writer, { strict: false })
    .source.query("UPDATE revisions SET snapshot = x'00' WHERE record_id = ?", [id]);
  await talk.expectStatus(500, `GET /api/cms/${type}/${id}/revisions/${ts}`);
  await talk.expectStatus(500, `GET /api/cms/${type}/${id}/revisions/${ts}/diff`);
  await talk.expectStatus(500, `POST /api/cms/${type}/${id}/rollback/${ts}`);
}

async function goThroughRollback(talk: Conversation, record: string, ts: number): Promise<void> {
  const path = `POST ${record}/rollback/${ts}`;
  const json = { 'Content-Type': 'application/json' };
  await talk.expectStatus(200, `${path}?dry_run=true`);
  await talk.expectStatus(200, path, { body: { fields: ['body'], include_status: true } });
  await talk.expectStatus(200, path);
  await talk.expectStatus(400, `${path}?no_such=1`);
  await talk.expectStatus(400, path, { body: '{', headers: json });
  await talk.expectStatus(403, path, { token: TOKENS.reader });
  await talk.expectStatus(404, `POST ${record}/rollback/1`);
  await talk.expectStatus(412, path, { headers: { 'If-Match': '"99"' } });
  await talk.expectStatus(413, path, { body: `"${'x'.repeat(1_100_000)}"`, headers: json });
  await talk.expectStatus(415, path, { body: 'title=x', headers: { 'Content-Type': 'text/plain' } });
  await talk.expectStatus(422, path, { body: { fields: ['no-such'] } });
}

/** Ten digits are a second, and several revisions may lie in it. */
async function refuseVagueTimes(talk: Conversation, record: string): Promise<void> {
  const second = await busySecond(talk, record);
  await talk.expectStatus(409, `GET ${record}/revisions/${second}`);
  await talk.expectStatus(409, `GET ${record}/revisions/${second}/diff`);
  await talk.expectStatus(409, `POST ${record}/rollback/${second}`);
}

/** Writes until two revisions lie in one second. */
async function busySecond(talk: Conversation, record: string): Promise<number> {
  for (let n = 0; ; n += 1) {
    const seconds: number[] = [];
    for (const title of [`Busy ${n}`, `Busier ${n}`]) {
      const { body } = await talk.expectStatus(200, `PUT ${record}`, { body: { title } });
      seconds.push(Math.floor(Date.parse(body.data.updated_at) / 1_000));
    }
    const [one, other] = seconds;
    if (one !== undefined && one === other) return one;
  }
}
