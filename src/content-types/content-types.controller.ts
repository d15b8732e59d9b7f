import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { type CompiledType } from './definition/content-type.js';
import { TypeCatalogue } from './type-catalogue.js';
import { TypeNamePipe } from './type-name.pipe.js';
import { type TypeView } from './definition/type-view.js';

/** The content types for those who read records: with the number of records that they may see. */
@RequireScope('records:read')
@Controller('api/cms/types')
@UseGuards(NoQueryGuard)
export class ContentTypesController {
  constructor(private readonly catalogue: TypeCatalogue) {}

  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<Answer<ListEnvelope<TypeView>>> {
    return Answer.hashed(await this.catalogue.list(caller));
  }

  @Get(':type')
  async read(
    @Param('type', TypeNamePipe) type: CompiledType,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<TypeView>>> {
    return Answer.hashed(await this.catalogue.one(type, caller));
  }
}
