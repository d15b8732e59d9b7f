import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from './test-app.js';

interface TypeFixture {
  readonly name: string;
  readonly fields?: readonly { readonly name: string; readonly type: string }[];
}

/** Types with a field of each kind, and types that are called like parts of the service. */
const TYPES = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'contract', 'types.json'), 'utf8'),
) as TypeFixture[];

export const DECLARED_TYPES: readonly string[] = TYPES.map(({ name }) => name);

/** Relations may point to each other, so they come when all types are there. */
export async function declareTypes(service: TestApp): Promise<void> {
  for (const { fields = [], ...type } of TYPES) {
    const plain = fields.filter((field) => field.type !== 'relation');
    const { status, text } = await service
      .http()
      .post('/api/admin/types')
      .send({ ...type, fields: plain });
    expect([status, text]).toEqual([201, expect.anything()]);
  }
  for (const { name, fields } of TYPES) {
    if (!fields) continue;
    const { status, text } = await service.http().put(`/api/admin/types/${name}`).send({ fields });
    expect([status, text]).toEqual([200, expect.anything()]);
  }
}
