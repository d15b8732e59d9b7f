import { Controller, Get, Param } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { type Answer } from '../common/http/answer.js';
import { UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { CurrentTarget } from '../records/current-target.js';
import { type Target } from '../records/records.service.js';
import { type DiffView, type RevisionView, type WholeRevisionView } from './revision-view.js';
import { RevisionsService } from './revisions.service.js';

@Controller('api/cms/:type/:id/revisions')
export class RevisionsController {
  constructor(private readonly revisions: RevisionsService) {}

  @Get()
  @RequireScope('revisions:read')
  list(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<ListEnvelope<RevisionView>>> {
    return this.revisions.list(type, target, query);
  }

  @Get(':ts')
  @RequireScope('revisions:read')
  one(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<Envelope<WholeRevisionView>>> {
    return this.revisions.one(type, target, ts, query);
  }

  @Get(':ts/diff')
  @RequireScope('revisions:read')
  diff(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('ts') ts: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<Answer<Envelope<DiffView>>> {
    return this.revisions.diff(type, target, ts, query);
  }
}
