import { hostileSignIns } from './loop-bodies.js';
import type { LoopCase, Place } from './loop-case.js';
import { ITEM } from './loop-content.js';
import { send, sendJson, type RawCall } from './raw.js';

const BROAD = 'broad';
const BROAD_FIELDS = 200;
const KINDS = ['string', 'text', 'integer', 'number', 'boolean', 'date', 'datetime', 'email', 'url', 'json'] as const;

/** The first write to a type with as many fields as there may be, each with rules of its own. */
function firstBroadWrite({ service: shared }: Place): LoopCase {
  const fields = Array.from({ length: BROAD_FIELDS }, (_, n) => {
    const type = n % 2 === 0 ? 'string' : (KINDS[((n - 1) / 2) % KINDS.length] ?? 'text');
    return { name: `field_${n}`, type, ...(type === 'string' ? { max_length: 50 + n } : {}) };
  });
  const texts = fields.filter(({ type }) => type === 'string').map(({ name }) => [name, 'text']);
  return {
    title: 'first of a process: write to a type of 200 fields',
    isOpen: false,
    isFirst: true,
    prepare: async () => {
      if ((await send(shared, { path: `/api/cms/types/${BROAD}` })).status === 200) return;
      await sendJson(shared, { method: 'POST', path: '/api/admin/types', body: { name: BROAD, fields } });
    },
    run: (turn, service) => {
      const body = { title: `Broad ${turn}`, ...Object.fromEntries(texts) };
      return send(service, { method: 'POST', path: `/api/cms/${BROAD}`, body });
    },
  };
}

/** The first definition of a type: its rules are compiled then. */
function firstType(): LoopCase {
  const fields = KINDS.map((type, n) => ({ name: `field_${n}`, type, label: `Field ${n}`, indexed: false }));
  return {
    title: 'first of a process: definition of a type',
    isOpen: false,
    isFirst: true,
    run: (turn, service) => {
      const body = { name: `made_${turn}_${Date.now()}`, label: 'Made', taxonomies: ['tag'], fields };
      return send(service, { method: 'POST', path: '/api/admin/types', body });
    },
  };
}

/** The first request of a process: what it needs is loaded and compiled then. */
export function firstRequests(place: Place): LoopCase[] {
  const first = (title: string, call: RawCall): LoopCase => ({
    title: `first of a process: ${title}`,
    isOpen: call.isOpen === true,
    isFirst: true,
    run: (_, service) => send(service, call),
  });
  const open = (path: string): RawCall => ({ path, isOpen: true });
  const signIns = hostileSignIns().slice(-1);
  return [
    first('API description of 200 types', open('/api/openapi.json')),
    first('page of the API description', open('/api/docs')),
    first('sitemap', open('/sitemap.xml')),
    first('robots.txt', open('/robots.txt')),
    first('keys', open('/.well-known/jwks.json')),
    first('404', open('/nothing/here')),
    first('way to a provider', open('/api/auth/google/redirect')),
    ...signIns.map(([title, call]) => first(title, { ...call, isOpen: true })),
    first('forgotten password', {
      method: 'POST',
      path: '/api/auth/password/forgot',
      body: { email: 'unknown@example.com' },
      isOpen: true,
    }),
    first('list', { path: `/api/cms/${ITEM}` }),
    first('search', { path: '/api/cms/search?q=ba' }),
    first('write', { method: 'PATCH', path: `/api/cms/${ITEM}/1`, body: { rank: 1 } }),
    firstBroadWrite(place),
    firstType(),
    first('export, csv', { path: '/api/cms/post/-/export?format=csv' }),
  ];
}
