import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { errorExamples, errorResponses, errorSchemas } from '../common/openapi/error-components.js';
import type { GroupName } from '../common/openapi/endpoint.js';
import {
  METHODS,
  OpenApiRegistry,
  type OpenApiFragment,
  type TypeFragment,
} from '../common/openapi/openapi.registry.js';
import {
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas,
} from '../common/openapi/shared-components.js';
import { typeNames, type NamedType } from '../common/openapi/type-names.js';
import { ownTurn } from '../common/concurrency/own-turn.js';
import { packageInfo } from '../common/package-info.js';
import { CoalescedRuns } from '../common/concurrency/coalesced-runs.js';
import { taggedBytes } from '../common/http/answer.js';
import { publicAddress } from '../config/public-address.js';
import { Settings } from '../config/settings.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { DocumentText, type DocumentHead } from './document-text.js';
import { Endpoints } from './endpoints.js';
import { withNamedAnswers } from './named-answers.js';
import { ParameterExamples, type SharedParameters } from './parameter-examples.js';

const DESCRIPTION = `Typed content over HTTP: every content type has its own paths and schemas below.

**Access.** Send an API token: \`Authorization: Bearer cms_…\`. Each operation names the scope that it needs;
unpublished records stay invisible without \`drafts:read\`.

**Shapes.** Content answers are \`{ "data": … }\`, lists add \`meta\`. Every failure is \`{ "error", "message" }\` with
details where they help; \`error\` is one of a fixed list of names. Every answer carries an \`X-Request-Id\`.

**Versions.** The \`ETag\` of a record is its version. Send it back as \`If-Match\` and a write that would overwrite
another change answers 412; as \`If-None-Match\` and a reading of something unchanged answers 304.`;

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token (`cms_…`) or an access token.' },
} satisfies OpenAPIV3_1.ComponentsObject['securitySchemes'];

export interface ReadyDocument {
  readonly json: Buffer;
  readonly etag: string;
}

/** The description of the whole API, put together from what the features say about themselves (docs/adr/0001). */
@Injectable()
export class OpenApiDocument {
  private readonly service = packageInfo();
  private readonly runs = new CoalescedRuns<ReadyDocument>();
  private latest: { readonly types: unknown; readonly document: ReadyDocument } | undefined;

  constructor(
    private readonly registry: OpenApiRegistry,
    private readonly endpoints: Endpoints,
    private readonly types: ContentTypesService,
    private readonly settings: Settings,
    private readonly examples: ParameterExamples,
  ) {}

  /** The document with all present content types, made again only when a type has changed, once for all who ask meanwhile. */
  async current(): Promise<ReadyDocument> {
    return this.known(await this.types.all()) ?? this.runs.run('document', () => this.renewed());
  }

  private async renewed(): Promise<ReadyDocument> {
    const types = await this.types.all();
    const document = this.known(types) ?? (await ready(await this.make(types)));
    this.latest = { types, document };
    return document;
  }

  private known(types: readonly NamedType[]): ReadyDocument | undefined {
    return this.latest?.types === types ? this.latest.document : undefined;
  }

  /** Makes the text. Most readers look for the content types, so they stand first. Each is made in turns of its own. */
  private async make(types: readonly CompiledType[]): Promise<DocumentText> {
    const shared = { ...errorSchemas(), ...sharedSchemas(types.map(({ name }) => name)) };
    const text = await this.withShared(shared);
    const named = [...(await this.registry.fixed()), await this.endpoints.read()].map(withNamedAnswers);
    const parameters = parametersOf(named);
    const fixed = named.map((fragment) => this.examples.fixed(fragment, parameters));
    await ownTurn();
    const names = typeNames(types, [...Object.keys(shared), ...fixed.flatMap(namesOf)]);
    const describe = await this.registry.ofTypes(names);
    for (const type of types) {
      await ownTurn();
      await addType(text, describe(type.name).map(await this.examples.ofType(type, parameters)));
    }
    await ownTurn();
    text.add(fixed);
    await ownTurn();
    return text;
  }

  private async withShared(schemas: ReturnType<typeof sharedSchemas>): Promise<DocumentText> {
    const text = new DocumentText(this.head(), SIGN_IN);
    text.addComponents('securitySchemes', SECURITY_SCHEMES);
    await ownTurn();
    text.addSchemas(schemas);
    text.addComponents('parameters', sharedParameters);
    text.addComponents('headers', sharedHeaders);
    await ownTurn();
    text.addComponents('responses', { ...sharedResponses, ...errorResponses() });
    text.addComponents('examples', errorExamples());
    await ownTurn();
    return text;
  }

  private head(): DocumentHead {
    return {
      openapi: '3.1.0',
      info: {
        title: 'Content API',
        version: this.service.version,
        summary: this.service.description,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Content API', url: publicAddress(this.settings, '') },
      },
      servers: [{ url: publicAddress(this.settings, '') }],
      tags: [],
      security: [{ bearer: [] }],
    };
  }
}

function parametersOf(fragments: readonly OpenApiFragment[]): SharedParameters {
  const own = fragments.flatMap(({ parameters = {} }) => Object.entries(parameters));
  return { ...sharedParameters, ...Object.fromEntries(own) };
}

function namesOf({ schemas = {}, paths }: OpenApiFragment): string[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item?.[method] ?? []));
  return [...Object.keys(schemas), ...operations.flatMap(({ operationId }) => operationId ?? [])];
}

/** Schemas that grow with the fields of the type are made in one turn and written in the next. */
async function addType(text: DocumentText, fragments: readonly TypeFragment[]): Promise<void> {
  for (const { longSchemas = [] } of fragments) {
    for (const schemas of longSchemas) {
      await ownTurn();
      text.addSchemas(schemas);
      await ownTurn();
    }
  }
  text.add(fragments);
}

async function ready(text: DocumentText): Promise<ReadyDocument> {
  const { bytes, etag } = await taggedBytes(text.parts());
  return { json: bytes, etag };
}

/** The group that all others need: nothing else can be tried without it. */
const SIGN_IN: GroupName = 'Sign-in';
