import type { Response, Test } from 'supertest';
import type { Contract } from '../support/contract.js';
import { TOKENS, type TestApp } from '../support/test-app.js';

interface Sent {
  /** `null`: no credential. */
  readonly token?: string | null;
  readonly body?: unknown;
  /** In place of the body. */
  readonly form?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests to the service, every answer held against its description. */
export class Conversation {
  constructor(
    private readonly service: TestApp,
    private readonly contract: Contract,
  ) {}

  /** @param request `GET /api/cms/post` */
  async call(request: string, { token = TOKENS.admin, body, form, headers = {} }: Sent = {}): Promise<Response> {
    const [method = '', url = ''] = request.split(' ');
    const agent = token === null ? this.service.anonymous() : this.service.http(token);
    const pending = agent[method.toLowerCase() as 'get'](url).set(headers);
    const answer = await withContent(pending, body, form);
    expect(this.contract.faults(method, url, answer)).toEqual([]);
    return answer;
  }

  async expectStatus(status: number, request: string, sent?: Sent): Promise<Response> {
    const answer = await this.call(request, sent);
    expect([request, answer.status, answer.status === status ? '' : answer.text]).toEqual([request, status, '']);
    return answer;
  }

  /** Asks again with the validator of the first answer. */
  async unchanged(request: string, sent: Sent = {}): Promise<void> {
    const { headers } = await this.call(request, sent);
    await this.expectStatus(304, request, { ...sent, headers: { 'If-None-Match': String(headers.etag) } });
  }
}

function withContent(pending: Test, body: unknown, form: object | undefined): Test {
  if (form) return pending.type('form').send(form);
  return body === undefined ? pending : pending.send(body as object);
}
