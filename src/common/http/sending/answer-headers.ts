import type { Request, Response } from 'express';
import { holds } from '../answer.js';
import { endAnswer } from './end-answer.js';

export function sendJson(response: Response, bytes: Buffer): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  endAnswer(response, bytes);
}

/** The validator, and who may keep what it belongs to. */
export function tag(response: Response, etag: string): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.appendHeader('Vary', 'Authorization');
}

/** Whether the client holds what would be sent. */
export function isFresh({ method, headers }: Request, etag: string): boolean {
  return (method === 'GET' || method === 'HEAD') && holds(headers['if-none-match'], etag);
}
