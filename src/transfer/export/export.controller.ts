import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Audit } from '../../audit/audit.js';
import { RequireScope } from '../../common/access/access.decorators.js';
import { CurrentInitiator, type Initiator } from '../../common/access/initiator.js';
import { answerMemory } from '../../common/http/sending/answer-memory.js';
import { sendStream } from '../../common/http/sending/send-stream.js';
import { asSent, invalidQuery, readQuery, UrlQuery } from '../../common/http/url-query.js';
import { LOG } from '../../common/logging/logging.module.js';
import { type CompiledType } from '../../content-types/definition/content-type.js';
import { TypeNamePipe } from '../../content-types/type-name.pipe.js';
import { STATUS } from '../../records/reading/browse-query.js';
import { Exporter, STREAMED, type StreamedFormat } from './exporter.js';

const PARAMETERS = { format: formatOf, status: STATUS, guard: asSent };
/** Memory of an export: some records, their views, and a piece of the text on each step of its way. */
const WEIGHT = 2_097_152;
const MEDIA: Readonly<Record<StreamedFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Sends exports as fast as clients read them. */
@Controller('api/cms/:type/-/export')
export class ExportController {
  constructor(
    private readonly exporter: Exporter,
    private readonly audit: Audit,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @throws {DomainError} `invalid_query`; `overloaded`: too many exports are being sent */
  @Get()
  @RequireScope('records:read')
  async send(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentInitiator() by: Initiator,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { format, status: statuses, guard } = readQuery(query, PARAMETERS);
    const isGuarded = guardOf(guard, format);
    const describe = (): void => {
      response.setHeader('Content-Type', MEDIA[format]);
      response.setHeader('Content-Disposition', `attachment; filename="${type.name}.${format}"`);
    };
    if (request.method === 'HEAD') {
      describe();
      response.end();
      return;
    }
    answerMemory.occupy(response, WEIGHT);
    describe();
    const text = this.exporter.text(format, { types: [type], statuses, caller: by.actor, isGuarded });
    const begun = whenBegun(text, () => {
      this.audit.note({ event: 'content.exported', outcome: 'success', ...by, details: { type: type.name } });
    });
    const failure = `the export of ${type.name} broke off`;
    await sendStream([Readable.from(begun)], response, { log: this.log, failure });
  }
}

/** Calls `begin` as soon as there is something to send: what fails before that has handed out nothing. */
async function* whenBegun(pieces: AsyncIterable<string>, begin: () => void): AsyncGenerator<string> {
  let isBegun = false;
  for await (const piece of pieces) {
    if (!isBegun) begin();
    isBegun = true;
    yield piece;
  }
}

function guardOf(text: string | null, format: StreamedFormat): boolean {
  // The default may be sent along with every format, as clients that are made from the API description do.
  if (text === 'false' && format !== 'csv')
    throw invalidQuery('guard', 'format', 'guard=false goes with format=csv only.');
  if (text !== null && text !== 'true' && text !== 'false') {
    throw invalidQuery('guard', 'boolean', 'guard must be true or false.');
  }
  return text !== 'false';
}

function formatOf(asked: string | null): StreamedFormat {
  const text = asked ?? 'ndjson';
  const format = STREAMED.find((one) => one === text);
  if (!format) throw invalidQuery('format', 'enum', `Unknown format: ${text}. Use ${STREAMED.join(', ')}.`);
  return format;
}
