import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

/** A term, as a test reads it. */
export interface TermAnswer {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly path: string;
  readonly depth: number;
  readonly parent_id: number | null;
  readonly count: number;
  readonly updated_at: string;
}

/** Requests that tests of the taxonomy send again and again. The service may start later. */
export function taxonomyRequests(service: () => TestApp) {
  let last = 0;
  const path = (type: string): string => `/api/cms/taxonomy/${type}`;
  const create = (body: unknown, token?: string): Promise<Response> =>
    service()
      .http(token)
      .post('/api/cms/taxonomy')
      .send(body as object);

  async function aTaxonomy(isHierarchical = true): Promise<string> {
    const name = `tree-${++last}`;
    await service().http().post('/api/admin/taxonomies').send({ name, hierarchical: isHierarchical }).expect(201);
    return name;
  }

  async function aTerm(type: string, name: string, parts: object = {}): Promise<TermAnswer> {
    const answer = await create({ type, name, ...parts });
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
    return answer.body.data;
  }

  /** `['a', 'a/b']`: the paths of all terms, as they are listed. */
  async function pathsOf(type: string, query = ''): Promise<string[]> {
    const { body } = await service()
      .http()
      .get(`${path(type)}${query}`)
      .expect(200);
    return (body.data as TermAnswer[]).map((term) => term.path);
  }

  async function aRecord(terms: object, parts: object = {}): Promise<number> {
    const answer = await service()
      .http()
      .post('/api/cms/post')
      .send({ title: 'A record', status: 'published', terms, ...parts });
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
    return answer.body.data.id as number;
  }

  return { path, create, aTaxonomy, aTerm, pathsOf, aRecord };
}
