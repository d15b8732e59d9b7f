import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import { DomainError } from '../common/errors/domain-error.js';
import { holds } from '../common/http/answer.js';
import { sendStream } from '../common/http/sending/send-stream.js';
import { LOG } from '../common/logging/logging.module.js';
import type { SitemapDocument } from './sitemap-documents.js';

/** Sends files of the sitemap while they are made. */
@Injectable()
export class SitemapSender {
  constructor(@Inject(LOG) private readonly log: Logger) {}

  /** @throws {DomainError} `not_found`: there is no such file */
  async send(document: SitemapDocument | null, request: Request, response: Response): Promise<void> {
    if (!document) throw noSuchFile();
    if (holds(request.headers['if-none-match'], tagOf(document))) {
      describe(response, document);
      response.statusCode = 304;
      response.end();
      return;
    }
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (request.method === 'HEAD') {
      describeBody(response, document, isCompressed);
      response.end();
      return;
    }
    const xml = await document.xml();
    describeBody(response, document, isCompressed);
    const steps = isCompressed ? [...xml, createGzip()] : xml;
    await sendStream(steps, response, { log: this.log, failure: 'a file of the sitemap could not be sent' });
  }
}

export function noSuchFile(): DomainError {
  return new DomainError('not_found', 'There is nothing at this address.');
}

/** Without the sign that it is a weak one, as it is compared: two codings of one text have it. */
function tagOf({ validator }: SitemapDocument): string {
  return `"${validator}"`;
}

function describe(response: Response, document: SitemapDocument): void {
  response.setHeader('ETag', `W/${tagOf(document)}`);
  // A change has to show at once, and to ask whether there is one costs two small reads.
  response.setHeader('Cache-Control', 'public, no-cache');
  response.appendHeader('Vary', 'Accept-Encoding');
  if (document.changedAt !== null) response.setHeader('Last-Modified', new Date(document.changedAt).toUTCString());
}

function describeBody(response: Response, document: SitemapDocument, isCompressed: boolean): void {
  describe(response, document);
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
}
