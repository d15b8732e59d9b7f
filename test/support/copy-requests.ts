import type { Response, Test } from 'supertest';
import type { TestApp } from './test-app.js';

/** Requests that tests of working copies send again and again, by paths such as `post/7`. The service may start later. */
export function copyRequests(service: () => TestApp) {
  /** @param tag what `If-Match` says; `null`: nothing */
  const send = (
    method: 'patch' | 'put' | 'delete',
    path: string,
    tag: string | null,
    body: object = {},
    token?: string,
  ): Test => {
    const request = service().http(token)[method](`/api/cms/${path}/draft`);
    return (tag === null ? request : request.set('If-Match', tag)).send(body);
  };

  /** Saves without minding what was saved before. */
  const save = async (path: string, body: object): Promise<Response['body']> => {
    const answer = await send('patch', path, '*', body);
    expect([path, answer.status < 300 ? '' : answer.text]).toEqual([path, '']);
    return answer.body;
  };

  const read = (path: string, token?: string): Test => service().http(token).get(`/api/cms/${path}/draft`);

  /** What the copy says about itself; `null`: there is none. */
  const draftOf = async (path: string): Promise<Response['body']> => (await read(path)).body.meta?.draft ?? null;

  return { send, save, read, draftOf };
}
