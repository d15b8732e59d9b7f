import { Controller, Get, Param } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from './content-type.js';
import { NoParameters } from './type-query.js';
import { TypeCatalogue } from './type-catalogue.service.js';
import { TypeNamePipe } from './type-name.pipe.js';
import { type TypeView } from './type-view.js';

@RequireScope('records:read')
@Controller('api/cms/types')
export class ContentTypesController {
  constructor(private readonly catalogue: TypeCatalogue) {}

  @Get()
  async list(
    @UrlQuery(NoParameters) _query: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ListEnvelope<TypeView>>> {
    return Answer.hashed(await this.catalogue.list(caller));
  }

  @Get(':type')
  async read(
    @UrlQuery(NoParameters) _query: unknown,
    @Param('type', TypeNamePipe) type: CompiledType,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<TypeView>>> {
    return Answer.hashed(await this.catalogue.one(type, caller));
  }
}
