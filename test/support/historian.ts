import type { Response, Test } from 'supertest';
import { TOKENS, type TestApp } from './test-app.js';

/** A revision as a list shows it. */
export interface RevisionDetails {
  readonly ts: number;
  readonly created_at: string;
  readonly version: number;
  readonly action: string;
  readonly status: string;
  readonly title: string;
  readonly changed: string[];
  readonly current: boolean;
  readonly rollback_of: number | null;
}

/** Writes records of one type and asks for their history. */
export class Historian {
  constructor(
    private readonly service: TestApp,
    private readonly type = 'post',
  ) {}

  async create(body: object): Promise<number> {
    const answer = await this.service.http().post(`/api/cms/${this.type}`).send(body);
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    return answer.body.data.id;
  }

  async update(id: number, body: object): Promise<void> {
    const answer = await this.service.http().put(`/api/cms/${this.type}/${id}`).send(body);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  }

  get(path: string | number, token: string = TOKENS.admin): Test {
    return this.service.http(token).get(`/api/cms/${this.type}/${path}`);
  }

  post(path: string, body: object = {}, token: string = TOKENS.admin): Test {
    return this.service.http(token).post(`/api/cms/${this.type}/${path}`).send(body);
  }

  /** The newest first. */
  async history(id: number, token: string = TOKENS.admin): Promise<RevisionDetails[]> {
    const answer: Response = await this.get(`${id}/revisions?per_page=100`, token).expect(200);
    return answer.body.data;
  }

  /** `ts` of each revision, the oldest first. */
  async times(id: number): Promise<number[]> {
    return (await this.history(id)).map(({ ts }) => ts).reverse();
  }
}
