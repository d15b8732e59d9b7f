import { Controller, Get, Param, UseGuards, Body, Delete, Headers, HttpCode, Post, Put } from '@nestjs/common';
import { CurrentCaller, RequireScope, FreshSignIn } from '../common/access/access.decorators.js';
import type { Caller } from '../common/access/caller.js';
import { CurrentInitiator, type Initiator } from '../common/access/initiator.js';
import type { Envelope, ListEnvelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { ConfirmationPipe } from '../common/http/routes/confirmation.pipe.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { UrlQuery } from '../common/http/url-query.js';
import { TypeManagement } from './changes/type-management.js';
import { TypeRemoval } from './changes/type-removal.js';
import type { CompiledType } from './definition/content-type.js';
import { type TypeView, typeView, versionTag } from './definition/type-view.js';
import { TypeCatalogue } from './type-catalogue.js';
import { TypeNamePipe } from './type-name.pipe.js';

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

/** The content types for those who define them. */
@RequireScope('types:write')
@Controller('api/admin/types')
export class TypeManagementController {
  constructor(
    private readonly catalogue: TypeCatalogue,
    private readonly management: TypeManagement,
    private readonly removal: TypeRemoval,
  ) {}

  @Get()
  @UseGuards(NoQueryGuard)
  async list(): Promise<Answer<ListEnvelope<TypeView>>> {
    return Answer.hashed(await this.catalogue.definitions());
  }

  @Get(':type')
  @UseGuards(NoQueryGuard)
  async read(@Param('type', TypeNamePipe) type: CompiledType): Promise<Answer<Envelope<TypeView>>> {
    return tagged(await this.catalogue.definition(type));
  }

  @Post()
  @UseGuards(NoQueryGuard)
  async create(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Answer<Envelope<TypeView>>> {
    return created(await this.management.create(body, caller));
  }

  @Put(':type')
  @FreshSignIn('confirmed')
  async change(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery(ConfirmationPipe) confirm: string | null,
    @Body() body: unknown,
    @CurrentInitiator() { actor: caller, visitor }: Initiator,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer<Envelope<TypeView>>> {
    return tagged(await this.management.change(type, body, { ifMatch, confirm, caller, visitor }));
  }

  @Delete(':type')
  @HttpCode(204)
  @FreshSignIn()
  async remove(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery(ConfirmationPipe) confirm: string | null,
    @CurrentInitiator() { actor: caller, visitor }: Initiator,
  ): Promise<void> {
    await this.removal.remove(type, { confirm, caller, visitor });
  }
}

function tagged(type: CompiledType): Answer<Envelope<TypeView>> {
  return Answer.tagged({ data: typeView(type) }, versionTag(type));
}

function created(type: CompiledType): Answer<Envelope<TypeView>> {
  return Answer.created({ data: typeView(type) }, `/api/cms/types/${type.name}`, versionTag(type));
}
