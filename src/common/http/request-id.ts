import { randomUUID } from 'node:crypto';

/** UUIDs, base64, trace contexts. No markup: the id is repeated in answers and in the log. */
const ACCEPTABLE = /^[\w.:+/=-]{1,128}$/;

/** The id that a client or gateway gave the request, where it has no other characters than such ids; otherwise a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : randomUUID();
}
