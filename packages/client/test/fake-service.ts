/** A service in the place of the network: answers by route, and notes what was asked. */
export class FakeService {
  readonly asked: {
    readonly route: string;
    readonly authorization: string | null;
    readonly key: string | null;
    readonly body: unknown;
  }[] = [];
  private readonly answers = new Map<string, () => Response | Promise<Response>>();

  answer(route: string, answer: () => Response | Promise<Response>): void {
    this.answers.set(route, answer);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const route = `${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`;
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const headers = new Headers(init?.headers);
    this.asked.push({
      route,
      authorization: headers.get('authorization'),
      key: headers.get('idempotency-key'),
      body,
    });
    const answer = this.answers.get(route);
    if (!answer) throw new TypeError('fetch failed');
    return answer();
  };

  times(route: string): number {
    return this.asked.filter((one) => one.route === route).length;
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}
