import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { RequireScope } from '../../common/access/access.decorators.js';
import { type Answer } from '../../common/http/answer.js';
import { knownQuery } from '../../common/http/routes/known-query.guard.js';
import { flag, UrlQuery } from '../../common/http/url-query.js';
import { type CompiledType } from '../../content-types/definition/content-type.js';
import { TypeNamePipe } from '../../content-types/type-name.pipe.js';
import { CurrentTarget } from '../../records/current-target.js';
import { type Target } from '../../records/records.service.js';
import { type RolledBack } from './rollback-outcome.js';
import { RollbackDto } from './rollback.dto.js';
import { RollbackService } from './rollback.service.js';

@Controller('api/cms/:type/:id/rollback')
export class RollbackController {
  constructor(private readonly rollbacks: RollbackService) {}

  @Post(':ts')
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
