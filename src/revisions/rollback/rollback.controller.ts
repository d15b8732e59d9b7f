import {
  Body,
  Controller,
  createParamDecorator,
  HttpCode,
  Param,
  Post,
  UseGuards,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { RequireScope, type AuthenticatedRequest } from '../../common/access/access.decorators.js';
import { type Caller } from '../../common/access/caller.js';
import { type Answer } from '../../common/http/answer.js';
import { knownQuery } from '../../common/http/routes/known-query.guard.js';
import { flagIn, UrlQuery } from '../../common/http/url-query.js';
import { type CompiledType } from '../../content-types/definition/content-type.js';
import { TypeNamePipe } from '../../content-types/type-name.pipe.js';
import { type RolledBack } from './rollback-outcome.js';
import { RollbackDto } from './rollback.dto.js';
import { RollbackService } from './rollback.service.js';

/** Who writes, and which versions they insist on (`If-Match`). */
interface Writer {
  readonly caller: Caller;
  readonly ifMatch: string | undefined;
}

const CurrentWriter = createParamDecorator((_: unknown, context: ExecutionContext): Writer => {
  const { caller, headers } = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
  return { caller, ifMatch: headers['if-match'] };
});

@Controller('api/cms/:type/:id/rollback')
export class RollbackController {
  constructor(private readonly rollbacks: RollbackService) {}

  @Post(':ts')
  @HttpCode(200)
  @UseGuards(knownQuery('dry_run', 'locale'))
  @RequireScope('records:update', 'records:update_own')
  rollBack(
    @Param() { id: reference, ts }: { readonly id: string; readonly ts: string },
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: RollbackDto,
    @UrlQuery() query: URLSearchParams,
    @CurrentWriter() writer: Writer,
  ): Promise<Answer<RolledBack>> {
    const request = RollbackDto.request(body, flagIn(query, 'dry_run'));
    return this.rollbacks.rollBack({ type, reference, locale: query.get('locale'), ...writer }, ts, request);
  }
}
