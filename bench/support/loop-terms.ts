import { fixed, type LoopCase, type Place } from './loop-case.js';
import { idsOf } from './loop-content.js';
import { send, sendJson } from './raw.js';
import type { ServiceProcess } from './service.js';

const TAGGED = 'tagged';
const HUB = 'hub';
const TAXONOMIES = Array.from({ length: 10 }, (_, n) => `facet${n}`);
const TERMS_EACH = 100;
const RECORDS = 100;
const RELATIONS = Array.from({ length: 50 }, (_, n) => `m${n}`);

/** Records of a thousand terms, none of which two records share: lists, exports and records in the place of references. */
export async function manyTerms(place: Place): Promise<LoopCase[]> {
  await makeTagged(place.service);
  const [hub = 0] = await idsOf(place.service, HUB, 1);
  const list = `/api/cms/${TAGGED}?per_page=${RECORDS}`;
  return [
    fixed(place, '100 records of 1,000 terms', { path: list }),
    fixed(place, '100 records of 1,000 terms by title', { path: `${list}&sort=title` }),
    fixed(place, '100 records of 1,000 terms, only titles and terms', { path: `${list}&fields=title,terms` }),
    fixed(place, '15 records of 1,000 terms', { path: `/api/cms/${TAGGED}` }),
    fixed(place, '100 records of 1,000 terms, found', { path: `/api/cms/search?q=tagged&type=${TAGGED}&per_page=100` }),
    fixed(place, 'export of records of 1,000 terms, ndjson', { path: `/api/cms/${TAGGED}/-/export` }),
    fixed(place, 'export of records of 1,000 terms, csv', { path: `/api/cms/${TAGGED}/-/export?format=csv` }),
    fixed(place, '100 records of 1,000 terms expanded', { path: `/api/cms/${HUB}/${hub}?expand=m0` }),
    fixed(place, '100 records of 1,000 terms expanded 50 times', {
      path: `/api/cms/${HUB}/${hub}?expand=${RELATIONS.join()}`,
    }),
  ];
}

async function makeTagged(service: ServiceProcess): Promise<void> {
  if ((await send(service, { path: `/api/cms/types/${HUB}` })).status === 200) return;
  const post = (path: string, body: object): Promise<{ data: { id: number } }> =>
    sendJson(service, { method: 'POST', path, body });
  for (const name of TAXONOMIES) await post('/api/admin/taxonomies', { name });
  await post('/api/admin/types', { name: TAGGED, taxonomies: TAXONOMIES, fields: [] });
  const ids: number[] = [];
  for (let n = 0; n < RECORDS; n += 1) {
    const terms = Object.fromEntries(TAXONOMIES.map((name) => [name, termsOf(name, n)]));
    ids.push((await post(`/api/cms/${TAGGED}`, { title: `Tagged ${n}`, status: 'published', terms })).data.id);
  }
  const fields = RELATIONS.map((name) => ({ name, type: 'relation', to: [TAGGED], many: true }));
  await post('/api/admin/types', { name: HUB, fields });
  const all = Object.fromEntries(RELATIONS.map((name) => [name, ids]));
  await post(`/api/cms/${HUB}`, { title: 'Hub', status: 'published', ...all });
}

function termsOf(taxonomy: string, record: number): string[] {
  return Array.from({ length: TERMS_EACH }, (_, n) => `Term ${n} of ${taxonomy} ${record}`);
}
