import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { type Answer } from '../common/http/answer.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { flag, UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { CurrentTarget } from '../records/current-target.js';
import { type Target } from '../records/records.service.js';
import { type DiffView, type RevisionView, type WholeRevisionView } from './revision-view.js';
import { RevisionsService } from './revisions.service.js';
import { RollbackDto } from './rollback/rollback.dto.js';
import { RollbackService, type RolledBack } from './rollback/rollback.service.js';

@Controller('api/cms/:type/:id')
export class RevisionsController {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly rollbacks: RollbackService,
  ) {}

  @Get('revisions')
  @RequireScope('revisions:read')
  list(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<ListEnvelope<RevisionView>>> {
    return this.revisions.list(type, target, query);
  }

  @Get('revisions/:ts')
  @RequireScope('revisions:read')
  one(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<Envelope<WholeRevisionView>>> {
    return this.revisions.one(type, target, ts, query);
  }

  @Get('revisions/:ts/diff')
  @RequireScope('revisions:read')
  diff(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<Envelope<DiffView>>> {
    return this.revisions.diff(type, target, ts, query);
  }

  @Post('rollback/:ts')
  @HttpCode(200)
  @UseGuards(knownQuery('dry_run', 'locale'))
  @RequireScope('records:update', 'records:update_own')
  rollBack(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('ts') ts: string,
    @Body() body: RollbackDto,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<RolledBack>> {
    const isDryRun = flag(query.get('dry_run'), 'dry_run');
    return this.rollbacks.rollBack(type, target, ts, RollbackDto.request(body, { isDryRun }));
  }
}
