import { createHmac, sign, type KeyObject } from 'node:crypto';
import { SigningKeys } from '../../src/auth/tokens/keys/signing-keys.js';
import type { TestApp } from './test-app.js';

/** Parts of a token; what is `undefined` is left out. */
export type Part = Readonly<Record<string, unknown>>;

/** The claims or the header of a token. */
export function partOf(token: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** The three parts of a token as they are sent. */
export function split(token: string): { readonly head: string; readonly body: string; readonly signature: string } {
  const [head = '', body = '', signature = ''] = token.split('.');
  return { head, body, signature };
}

/** Signs with a private key, without any rule of ours. A text is taken as the JSON of the part. */
export function forge(header: unknown, claims: unknown, key: KeyObject): string {
  const said = [header, claims].map(encoded).join('.');
  return `${said}.${sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The same with a key that both sides have to know. */
export function forgeByHmac(header: Part, claims: Part, secret: string): string {
  const said = [header, claims].map(encoded).join('.');
  return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`;
}

/** The private key with which a service signs just now. */
export async function signingKeyOf({ app }: TestApp): Promise<KeyObject> {
  return (await app.get(SigningKeys).signing()).privateKey;
}

function encoded(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}
