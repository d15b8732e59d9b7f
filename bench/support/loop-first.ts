import { hostileSignIns } from './loop-bodies.js';
import type { LoopCase } from './loop-case.js';
import { ITEM } from './loop-content.js';
import { send, type RawCall } from './raw.js';

/** The first request of a process: what it needs is loaded and compiled then. */
export function firstRequests(): LoopCase[] {
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
    ...signIns.map(([title, call]) => first(title, { ...call, isOpen: true })),
    first('forgotten password', {
      method: 'POST',
      path: '/api/auth/password/forgot',
      body: { email: 'nobody@example.com' },
      isOpen: true,
    }),
    first('list', { path: `/api/cms/${ITEM}` }),
    first('search', { path: '/api/cms/search?q=ba' }),
    first('write', { method: 'PATCH', path: `/api/cms/${ITEM}/1`, body: { rank: 1 } }),
    first('export, csv', { path: '/api/cms/post/-/export?format=csv' }),
  ];
}
