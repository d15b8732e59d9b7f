import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Caller } from '../../common/access/caller.js';
import { sendStream } from '../../common/http/send-stream.js';
import { invalidQuery, requireKnown } from '../../common/http/url-query.js';
import { LOG } from '../../common/logging/logging.module.js';
import type { CompiledType } from '../../content-types/content-type.js';
import { statusesOf } from '../../records/lists/browse-query.js';
import { Exporter, STREAMED, type StreamedFormat } from './exporter.service.js';

/** What a client asks for. */
interface Asked {
  readonly type: CompiledType;
  readonly query: URLSearchParams;
  readonly caller: Caller;
}

const PARAMETERS = new Set(['format', 'status', 'guard']);
const SEVERAL = new Set(['status']);
const MEDIA: Readonly<Record<StreamedFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Sends exports as fast as clients read them. */
@Injectable()
export class ExportSender {
  constructor(
    private readonly exporter: Exporter,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  async send({ type, query, caller }: Asked, request: Request, response: Response): Promise<void> {
    requireKnown(query, (name) => PARAMETERS.has(name), SEVERAL);
    const format = formatOf(query.get('format') ?? 'ndjson');
    const statuses = statusesOf(query);
    const isGuarded = guardOf(query, format);
    response.setHeader('Content-Type', MEDIA[format]);
    response.setHeader('Content-Disposition', `attachment; filename="${type.name}.${format}"`);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const text = this.exporter.text(format, { types: [type], statuses, caller, isGuarded });
    const failure = `the export of ${type.name} broke off`;
    await sendStream([Readable.from(text)], response, { log: this.log, failure });
  }
}

function guardOf(query: URLSearchParams, format: StreamedFormat): boolean {
  const text = query.get('guard');
  if (text !== null && format !== 'csv') throw invalidQuery('guard', 'format', 'guard goes with format=csv only.');
  if (text !== null && text !== 'true' && text !== 'false') {
    throw invalidQuery('guard', 'boolean', 'guard must be true or false.');
  }
  return text !== 'false';
}

function formatOf(text: string): StreamedFormat {
  const format = STREAMED.find((one) => one === text);
  if (!format) throw invalidQuery('format', 'enum', `Unknown format: ${text}. Use ${STREAMED.join(', ')}.`);
  return format;
}
