import { fetchText } from '../../../../common/http/fetch-text.js';
import { providerUnavailable } from './identity-provider.js';

const LIMITS = { milliseconds: 5_000, bytes: 1_048_576 };

export interface ProviderAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asks a provider; whatever does not answer with a JSON object ends within 5 s. @throws {DomainError} `provider_unavailable` */
export async function askProvider(url: string, init: RequestInit = {}): Promise<ProviderAnswer> {
  try {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    const { status, text } = await fetchText(url, { ...init, headers }, LIMITS);
    return { status, body: jsonObject(text) };
  } catch (cause) {
    throw providerUnavailable(new Error(`${url} did not answer as it should`, { cause }));
  }
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('the answer is no object');
  return value as Readonly<Record<string, unknown>>; // an object of JSON has texts for keys
}
