import { Controller, Get, Param, UseGuards, Body, Delete, Headers, Post, Put } from '@nestjs/common';
import { CurrentCaller, RequireScope, FreshSignIn } from '../common/access/access.decorators.js';
import type { Caller } from '../common/access/caller.js';
import { CurrentInitiator, type Initiator } from '../common/access/initiator.js';
import type { Envelope } from '../common/envelope.js';
import { Answer, versionTag } from '../common/http/answer.js';
import { ConfirmationPipe } from '../common/http/routes/confirmation.pipe.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { UrlQuery } from '../common/http/url-query.js';
import { answer, emptyAnswer, enveloped, jsonBody, parameterRef, query } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../common/openapi/endpoint.js';
import { TypeManagement } from './changes/type-management.js';
import { TypeRemoval } from './changes/type-removal.js';
import type { CompiledType } from './definition/content-type.js';
import {
  CONTENT_TYPE,
  CONTENT_TYPE_CHANGE,
  CONTENT_TYPE_INPUT,
  CONTENT_TYPE_LIST,
  type TypeView,
  typeView,
} from './definition/type-view.js';
import { TypeCatalogue } from './type-catalogue.js';
import { TypeNamePipe } from './type-name.pipe.js';

const COUNTED = 'With the number of records that the caller may see.';
const DEFINED = 'As it is defined, without numbers of records; the `ETag` is its version.';
const ALL_DEFINED = 'As they are defined, without numbers of records.';

const ListOfTypes = (id: string, summary: string, description: string) =>
  Endpoint(id, summary, {
    description,
    answers: { 200: answer('All of them, by name.', CONTENT_TYPE_LIST, 'ETag') },
  });

const OneType = (id: string, summary: string, description: string) =>
  Endpoint(id, summary, {
    description,
    answers: { 200: answer('The type.', enveloped(CONTENT_TYPE), 'ETag') },
    fails: ['type_not_found'],
  });

const CONFIRM = query('confirm', 'The name of the type, sent again: a loss of content is meant.');

const EXAMPLE = {
  name: 'recipe',
  label: 'Recipe',
  fields: [
    { name: 'minutes', type: 'integer', min: 1, indexed: true },
    { name: 'ingredients', type: 'list', of: 'string', required: true },
  ],
};

/** The content types for those who read records: with the number of records that they may see. */
@RequireScope('records:read')
@Controller('api/cms/types')
@EndpointGroup('Content types')
@UseGuards(NoQueryGuard)
export class ContentTypesController {
  constructor(private readonly catalogue: TypeCatalogue) {}

  @Get()
  @ListOfTypes('listContentTypes', 'List content types', COUNTED)
  async list(@CurrentCaller() caller: Caller): Promise<Answer<Buffer>> {
    return Answer.listed(await this.catalogue.list(caller));
  }

  @Get(':type')
  @OneType('getContentType', 'Read a content type', COUNTED)
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
@EndpointGroup('Content types')
export class TypeManagementController {
  constructor(
    private readonly catalogue: TypeCatalogue,
    private readonly management: TypeManagement,
    private readonly removal: TypeRemoval,
  ) {}

  @Get()
  @UseGuards(NoQueryGuard)
  @ListOfTypes('listContentTypeDefinitions', 'List definitions of content types', ALL_DEFINED)
  async list(): Promise<Answer<Buffer>> {
    return Answer.listed(await this.catalogue.definitions());
  }

  @Get(':type')
  @UseGuards(NoQueryGuard)
  @OneType('getContentTypeDefinition', 'Read the definition of a content type', DEFINED)
  async read(@Param('type', TypeNamePipe) type: CompiledType): Promise<Answer<Envelope<TypeView>>> {
    return tagged(await this.catalogue.definition(type));
  }

  @Post()
  @UseGuards(NoQueryGuard)
  @Endpoint('createContentType', 'Create a content type', {
    description: 'It can be used at once.',
    body: jsonBody(CONTENT_TYPE_INPUT, EXAMPLE),
    answers: { 201: answer('The new type.', enveloped(CONTENT_TYPE), 'ETag', 'Location') },
    fails: ['malformed_json', 'type_exists', 'validation_failed'],
  })
  async create(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Answer<Envelope<TypeView>>> {
    return created(await this.management.create(body, caller));
  }

  @Put(':type')
  @FreshSignIn('confirmed')
  @Endpoint('updateContentType', 'Change a content type', {
    description:
      'Parts that you do not send stay. `fields`, if it is sent, is the whole list in its order: a field is known by its `id`, or else by its name; one that is missing is removed. ' +
      'A change that records would suffer from is refused with their number unless it is confirmed; values stay as they are until their record is written again.',
    parameters: [CONFIRM, parameterRef('IfMatch')],
    body: jsonBody(CONTENT_TYPE_CHANGE, { label: 'Dish', description: 'What we cook.' }),
    answers: { 200: answer('The type as of now.', enveloped(CONTENT_TYPE), 'ETag') },
    fails: ['malformed_json', 'type_not_found', 'type_in_use', 'version_conflict', 'validation_failed'],
  })
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
  @FreshSignIn()
  @Endpoint('deleteContentType', 'Delete a content type', {
    description: 'A type that has records, the trash included, goes only when that is confirmed.',
    parameters: [CONFIRM],
    answers: { 204: emptyAnswer('It is deleted.') },
    fails: ['type_not_found', 'type_not_empty', 'type_in_use'],
  })
  async remove(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery(ConfirmationPipe) confirm: string | null,
    @CurrentInitiator() { actor: caller, visitor }: Initiator,
  ): Promise<void> {
    await this.removal.remove(type, { confirm, caller, visitor });
  }
}

function tagged(type: CompiledType): Answer<Envelope<TypeView>> {
  return Answer.tagged({ data: typeView(type) }, versionTag(type), { isConditional: true });
}

function created(type: CompiledType): Answer<Envelope<TypeView>> {
  return Answer.created({ data: typeView(type) }, `/api/cms/types/${type.name}`, versionTag(type));
}
