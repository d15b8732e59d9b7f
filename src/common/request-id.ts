import { randomUUID } from 'node:crypto';

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/** The id that a client or gateway gave the request, where it is fit to be logged; otherwise a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : randomUUID();
}
