import type { Request, Response } from 'express';
import { holds } from '../answer.js';

/** Headers in which credentials come, as `Vary` names them. */
interface Locals {
  readonly credentialHeaders?: string;
}

/** The validator, and who may keep what it belongs to. */
export function tag(response: Response, etag: string): void {
  const { credentialHeaders = 'Authorization' } = response.app.locals as Locals;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.appendHeader('Vary', credentialHeaders);
}

/** Whether the client holds what would be sent. */
export function isFresh({ method, headers }: Request, etag: string): boolean {
  return (method === 'GET' || method === 'HEAD') && holds(headers['if-none-match'], etag);
}
