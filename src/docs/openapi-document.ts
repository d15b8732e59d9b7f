import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { errorExamples, errorResponses, errorSchemas } from '../common/openapi/error-components.js';
import { METHODS, OpenApiRegistry, type OpenApiFragment } from '../common/openapi/openapi.registry.js';
import {
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas,
} from '../common/openapi/shared-components.js';
import { typeNames, type NamedType } from '../common/openapi/type-names.js';
import { packageFacts } from '../common/package-facts.js';
import { Settings } from '../config/settings.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { documented } from './documented.js';
import { mergedPaths } from './merged-paths.js';
import { withNamedAnswers } from './named-answers.js';
import { withoutUnused, type ApiDocument } from './without-unused.js';

const DESCRIPTION = `Typed content over HTTP: every content type has its own paths and schemas below.

**Access.** Send an API token: \`Authorization: Bearer cms_…\`. Each operation names the scope that it needs;
unpublished records stay invisible without \`drafts:read\`.

**Shapes.** Content answers are \`{ "data": … }\`, lists add \`meta\`. Every failure is \`{ "error", "message" }\` with
details where they help; \`error\` is one of a fixed list of names. Every answer carries an \`X-Request-Id\`.

**Versions.** The \`ETag\` of a record is its version. Send it back as \`If-Match\` and a write that would overwrite
somebody else's change answers 412; as \`If-None-Match\` and a reading of something unchanged answers 304.`;

/** The description of the whole API, put together from what the features say about themselves (docs/adr/0001). */
@Injectable()
export class OpenApiDocument {
  private readonly facts = packageFacts();

  private latest: { readonly types: unknown; readonly document: ApiDocument } | undefined;

  constructor(
    private readonly registry: OpenApiRegistry,
    private readonly types: ContentTypes,
    private readonly settings: Settings,
  ) {}

  /** The document as of now: a content type that was just made is in it. Made anew only when a type has changed. */
  async current(): Promise<ApiDocument> {
    const types = await this.types.all();
    if (this.latest?.types !== types) this.latest = { types, document: await this.make(types) };
    return this.latest.document;
  }

  private async make(types: readonly NamedType[]): Promise<ApiDocument> {
    const shared = { ...errorSchemas(), ...sharedSchemas(types.map(({ name }) => name)) };
    const fragments = await this.fragments(types, Object.keys(shared));
    const { paths, responses } = mergedPaths(fragments);
    return withoutUnused({
      openapi: '3.1.0',
      info: this.info(),
      servers: [{ url: this.settings.publicUrl }],
      tags: fragments.flatMap(({ tags }) => tags ?? []),
      security: [{ bearer: [] }],
      paths,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token (`cms_…`) or an access token.' },
        },
        schemas: documented(together(shared, ...fragments.map(({ schemas = {} }) => schemas))),
        parameters: together<OpenAPIV3_1.ParameterObject>(
          sharedParameters,
          ...fragments.map(({ parameters = {} }) => parameters),
        ),
        headers: sharedHeaders,
        responses: { ...sharedResponses, ...errorResponses(), ...responses },
        examples: errorExamples(),
      },
    });
  }

  /** Those about content types are what most readers look for, so they stand first. */
  private async fragments(types: readonly NamedType[], taken: readonly string[]): Promise<OpenApiFragment[]> {
    const fixed = (await this.registry.fixed()).map(withNamedAnswers);
    const names = typeNames(types, [...taken, ...fixed.flatMap(namesOf)]);
    return [...(await this.registry.ofTypes(names)), ...fixed];
  }

  private info(): OpenAPIV3_1.InfoObject {
    return {
      title: 'Content API',
      version: this.facts.version,
      summary: this.facts.description,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Content API', url: this.settings.publicUrl },
    };
  }
}

function namesOf({ schemas = {}, paths }: OpenApiFragment): string[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item?.[method] ?? []));
  return [...Object.keys(schemas), ...operations.flatMap(({ operationId }) => operationId ?? [])];
}

/** @throws {Error} two parts have something of one name: one of them would be lost */
function together<T>(...parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const all = new Map<string, T>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (all.has(name)) throw new Error(`Two parts of the API description are called ${name}.`);
    all.set(name, value);
  }
  return Object.fromEntries(all);
}
