import { Controller, Get, Param } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { type Answer } from '../common/http/answer.js';
import { UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { type DiffView, type RevisionView, type WholeRevisionView } from './revision-view.js';
import { RevisionsService } from './revisions.service.js';

@Controller('api/cms/:type/:id/revisions')
export class RevisionsController {
  constructor(private readonly revisions: RevisionsService) {}

  @Get()
  @RequireScope('revisions:read')
  list(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ListEnvelope<RevisionView>>> {
    return this.revisions.list({ type, reference, caller, locale: query.get('locale') }, query);
  }

  @Get(':ts')
  @RequireScope('revisions:read')
  one(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<WholeRevisionView>>> {
    return this.revisions.one({ type, reference, caller, locale: query.get('locale') }, ts, query);
  }

  @Get(':ts/diff')
  @RequireScope('revisions:read')
  diff(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<DiffView>>> {
    return this.revisions.diff({ type, reference, caller, locale: query.get('locale') }, ts, query);
  }
}
