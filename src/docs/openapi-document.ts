import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { errorExamples, errorResponses, errorSchemas } from '../common/openapi/error-components.js';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { sharedHeaders, sharedParameters, sharedSchemas } from '../common/openapi/shared-components.js';
import { packageFacts } from '../common/package-facts.js';
import { Settings } from '../config/settings.js';
import { ContentTypes } from '../content-types/content-types.service.js';
import { mergedPaths } from './merged-paths.js';
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
    if (this.latest?.types !== types) this.latest = { types, document: await this.make() };
    return this.latest.document;
  }

  private async make(): Promise<ApiDocument> {
    const fragments = await this.registry.fragments();
    const schemas = fragments.map((fragment) => fragment.schemas ?? {});
    return withoutUnused({
      openapi: '3.1.0',
      info: this.info(),
      servers: [{ url: this.settings.publicUrl }],
      tags: fragments.flatMap(({ tags }) => tags ?? []),
      security: [{ bearer: [] }],
      paths: mergedPaths(fragments),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token (`cms_…`) or an access token.' },
        },
        schemas: Object.assign({}, errorSchemas, sharedSchemas, ...schemas) as Record<string, OpenAPIV3_1.SchemaObject>,
        parameters: sharedParameters,
        headers: sharedHeaders,
        responses: errorResponses(),
        examples: errorExamples(),
      },
    });
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
