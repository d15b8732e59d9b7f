import { createHash, createHmac } from 'node:crypto';
import { AppKeys } from '../../src/config/values/app-keys.js';
import type { TestApp } from './test-app.js';

const PREFIX = 'cmsr_';

/** A refresh token in the form of earlier versions, which says the same as one of today. */
export function formerRefreshToken({ app }: TestApp, token: string): string {
  const said = Buffer.from(token.slice(PREFIX.length), 'base64url').subarray(0, -20);
  said[0] = 1;
  const key = app.get(AppKeys).key('refresh', said.subarray(1, 17));
  const signed = Buffer.concat([said, createHmac('sha256', key).update(said).digest().subarray(0, 16)]);
  const checksum = createHash('sha256').update(signed).digest().subarray(0, 4);
  return PREFIX + Buffer.concat([signed, checksum]).toString('base64url');
}
