import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Put, UseGuards } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import { type Answer } from '../common/http/answer.js';
import { wantsMinimal } from '../common/http/preference.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { CurrentTarget } from '../records/current-target.js';
import { type Target } from '../records/records.service.js';
import { CopyAnswers, type DraftEnvelope } from './copies/copy-answers.js';
import { CopyEdits } from './copies/copy-edits.js';

/** The working copy of a record. */
@Controller('api/cms/:type/:id/draft')
@UseGuards(knownQuery('locale'))
export class DraftsController {
  constructor(
    private readonly answers: CopyAnswers,
    private readonly edits: CopyEdits,
  ) {}

  @Get()
  @RequireScope('drafts:read')
  read(
    @Param('type', TypeNamePipe) type: CompiledType,
    @CurrentTarget() target: Target,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.read(type, target);
  }

  @Patch()
  @RequireScope('records:update', 'records:update_own')
  merge(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
    @Headers('prefer') prefer?: string,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.save(type, body, target, { mode: 'merge', isMinimal: wantsMinimal(prefer) });
  }

  @Put()
  @RequireScope('records:update', 'records:update_own')
  replace(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
    @Headers('prefer') prefer?: string,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.save(type, body, target, { mode: 'replace', isMinimal: wantsMinimal(prefer) });
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('records:update', 'records:update_own')
  async discard(@Param('type', TypeNamePipe) type: CompiledType, @CurrentTarget() target: Target): Promise<void> {
    await this.edits.discard(type, target);
  }
}
