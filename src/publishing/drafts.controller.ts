import { idOf } from '../common/text/names.js';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Put, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type ListEnvelope } from '../common/envelope.js';
import { type Answer } from '../common/http/answer.js';
import { wantsMinimal } from '../common/http/preference.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { invalidQuery, UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { CurrentTarget } from '../records/current-target.js';
import { type Target } from '../records/records.service.js';
import { CopyAnswers, type DraftEnvelope, type SaveOrder } from './copies/copy-answers.js';
import { CopyEdits } from './copies/copy-edits.js';
import { DraftListService, type ListedDraft } from './draft-list.service.js';

const DRAFT = ':type/:id/draft';
const LOCALE = knownQuery('locale');
const RECORD_VERSION = 'record_version';
const SAVING = knownQuery('locale', RECORD_VERSION);

/** Working copies of records. */
@Controller('api/cms')
export class DraftsController {
  constructor(
    private readonly answers: CopyAnswers,
    private readonly edits: CopyEdits,
    private readonly drafts: DraftListService,
  ) {}

  /** Asks for no scope at the door: one type whose drafts the caller may read is enough. */
  @Get('-/drafts')
  list(@UrlQuery() query: URLSearchParams, @CurrentCaller() caller: Caller): Promise<ListEnvelope<ListedDraft>> {
    return this.drafts.page(query, caller);
  }

  @Get(DRAFT)
  @UseGuards(LOCALE)
  @RequireScope('drafts:read')
  read(
    @Param('type', TypeNamePipe) type: CompiledType,
    @CurrentTarget() target: Target,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.read(type, target);
  }

  @Patch(DRAFT)
  @UseGuards(SAVING)
  @RequireScope('records:update', 'records:update_own')
  merge(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
    @UrlQuery() query: URLSearchParams,
    @Headers('prefer') prefer?: string,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.save(type, body, target, saveOrder('merge', query, prefer));
  }

  @Put(DRAFT)
  @UseGuards(SAVING)
  @RequireScope('records:update', 'records:update_own')
  replace(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
    @UrlQuery() query: URLSearchParams,
    @Headers('prefer') prefer?: string,
  ): Promise<Answer<DraftEnvelope>> {
    return this.answers.save(type, body, target, saveOrder('replace', query, prefer));
  }

  @Delete(DRAFT)
  @UseGuards(LOCALE)
  @HttpCode(204)
  @RequireScope('records:update', 'records:update_own')
  async discard(@Param('type', TypeNamePipe) type: CompiledType, @CurrentTarget() target: Target): Promise<void> {
    await this.edits.discard(type, target);
  }
}

/** @throws {DomainError} `invalid_query` */
function saveOrder(mode: SaveOrder['mode'], query: URLSearchParams, prefer: string | undefined): SaveOrder {
  const order = { mode, isMinimal: wantsMinimal(prefer) };
  const text = query.get(RECORD_VERSION);
  if (text === null) return order;
  const recordVersion = idOf(text);
  if (recordVersion === null)
    throw invalidQuery(RECORD_VERSION, 'integer', 'Send the version of the record that was read.');
  return { ...order, recordVersion };
}
