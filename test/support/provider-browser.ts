import type { Response } from 'supertest';
import type { ProviderName } from '../../src/config/provider-settings.js';
import type { TestApp } from './test-app.js';

/** What the provider sends a browser back with. */
export interface WayBack {
  readonly method: 'GET' | 'POST';
  /** Path and query; for a form without a query. */
  readonly path: string;
  readonly form: Record<string, string>;
}

/** A browser as far as a sign-in needs one: it keeps cookies, and sends none along with forms from other sites. */
export class ProviderBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly service: TestApp) {}

  /** Begins a sign-in. */
  async begin(provider: ProviderName, query: Record<string, string> = {}): Promise<Response> {
    const search = new URLSearchParams(query).toString();
    return this.get(`/api/auth/${provider}/redirect${search === '' ? '' : `?${search}`}`);
  }

  /** Begins a sign-in and goes to the provider. */
  async visit(provider: ProviderName, query: Record<string, string> = {}): Promise<WayBack> {
    const { status, text, headers } = await this.begin(provider, query);
    expect([status, text]).toEqual([302, '']);
    const answer = await fetch(String(headers.location), { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location !== null) return { method: 'GET', path: pathOf(location), form: {} };
    return formIn(await answer.text());
  }

  /** Opens an address for linking that another one was given, agrees on the page that asks, and comes back from the provider. */
  async confirmLink(url: string): Promise<Response> {
    const path = pathOf(url);
    await this.get(path);
    const asked = this.service.anonymous().post(path).type('form').redirects(0);
    const confirmed = await asked.set({ Cookie: this.cookie, 'Sec-Fetch-Site': 'same-origin' });
    this.keep(confirmed);
    const { headers } = await fetch(String(confirmed.headers.location), { redirect: 'manual' });
    return this.get(pathOf(headers.get('location') ?? ''));
  }

  /** Goes back to the service. */
  async comeBack({ method, path, form }: WayBack): Promise<Response> {
    if (method === 'GET') return this.get(path);
    const answer = await this.service.anonymous().post(path).type('form').send(form);
    expect([answer.status, answer.text]).toEqual([303, '']);
    return this.get(String(answer.headers.location));
  }

  /** The whole way. */
  async signIn(provider: ProviderName, query: Record<string, string> = {}): Promise<Response> {
    return this.comeBack(await this.visit(provider, query));
  }

  async get(path: string): Promise<Response> {
    const { cookie } = this;
    const pending = this.service.anonymous().get(path).redirects(0);
    const answer = await (cookie === '' ? pending : pending.set('Cookie', cookie));
    this.keep(answer);
    return answer;
  }

  private get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep({ headers }: Response): void {
    for (const line of (headers['set-cookie'] ?? []) as unknown as string[]) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (attributes.includes('Max-Age=0;')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The form of a page, as a visitor would post it. */
function formIn(page: string): WayBack {
  const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const fields = [...page.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    unescape(name),
    unescape(value),
  ]);
  const action = /action="([^"]*)"/.exec(page)?.[1] ?? '';
  return { method: 'POST', path: pathOf(unescape(action)), form: Object.fromEntries(fields) };
}
