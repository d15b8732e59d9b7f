import type { Response } from 'supertest';
import type { TestApp } from './test-app.js';

/** Requests that tests of content types send again and again. The service may start later. */
export function typeRequests(service: () => TestApp) {
  let lastType = 0;
  const freshName = (): string => `kind-${++lastType}`;

  async function aTypeWith(fields: readonly object[], name = freshName()): Promise<string> {
    await service().http().post('/api/admin/types').send({ name, fields }).expect(201);
    return name;
  }

  async function aRecord(type: string, fields: object = {}): Promise<number> {
    const answer = await service()
      .http()
      .post(`/api/cms/${type}`)
      .send({ title: 'A record', ...fields });
    expect(answer.status).toBe(201);
    return answer.body.data.id as number;
  }

  return { freshName, aTypeWith, aRecord };
}

/** `fields.0.name: reserved`, for each fault of a refused body. */
export function faultsOf({ body }: Response): string[] {
  return (body.details as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`);
}
