import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { CurrentInitiator, type Initiator } from '../../common/access/initiator.js';
import { RequireScope } from '../../common/access/access.decorators.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { type CompiledType } from '../../content-types/definition/content-type.js';
import { TypeNamePipe } from '../../content-types/type-name.pipe.js';
import { ExportSender } from './export-sender.js';

@Controller('api/cms/:type/-/export')
export class ExportController {
  constructor(private readonly sender: ExportSender) {}

  @Get()
  @RequireScope('records:read')
  async send(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentInitiator() by: Initiator,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sender.send({ type, query, by }, request, response);
  }
}
