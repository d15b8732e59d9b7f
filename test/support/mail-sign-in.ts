import { randomInt } from 'node:crypto';
import type { Response } from 'supertest';
import type { Mailbox, ReadMail } from './mailbox.js';
import type { TestApp } from './test-app.js';

/** A code of six digits that is not this one. */
export function otherCode(code: string): string {
  return String((Number(code) + 1 + randomInt(900_000)) % 1_000_000).padStart(6, '0');
}

/** The token of a link in a mail. */
export function tokenOf({ link }: Pick<ReadMail, 'link'>): string {
  return new URL(link).searchParams.get('token') ?? '';
}

export function sendCode(service: TestApp, email: string): PromiseLike<Response> {
  return service.anonymous().post('/api/auth/otp/send').send({ email });
}

export function verifyCode(service: TestApp, email: string, code: unknown): PromiseLike<Response> {
  return service.anonymous().post('/api/auth/otp/verify').send({ email, code });
}

export function sendLink(service: TestApp, email: string, options: object = {}): PromiseLike<Response> {
  return service
    .anonymous()
    .post('/api/auth/magic-link')
    .send({ email, ...options });
}

export function verifyLink(service: TestApp, token: string): PromiseLike<Response> {
  return service.anonymous().post('/api/auth/magic-link/verify').send({ token });
}

/** Asks for a code, and reads the mail that brings it. */
export async function mailedCode(service: TestApp, mailbox: Mailbox, email: string): Promise<ReadMail> {
  const { status } = await sendCode(service, email);
  expect(status).toBe(200);
  return mailbox.next(email, /^Sign in to/);
}
