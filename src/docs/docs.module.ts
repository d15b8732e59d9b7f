import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import type { DocsAccess } from '../config/settings.js';
import { ConsoleModule } from '../console/console.module.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { RecordsModule } from '../records/records.module.js';
import { DemoToken } from './demo-token.js';
import { DocsAssets } from './docs-assets.js';
import { DocsController, OpenApiController, PublicOpenApiController } from './docs.controller.js';
import { HomeController } from './home.controller.js';
import { Endpoints } from './endpoints.js';
import { OpenApiDocument } from './openapi-document.js';
import { ParameterExamples } from './parameter-examples.js';

/** A browser sends no token for a page, so the page is there for everyone or for no one. */
const CONTROLLERS: Readonly<Record<DocsAccess, Type[]>> = {
  public: [PublicOpenApiController, DocsController],
  token: [OpenApiController],
  off: [],
};

/** The description of the API; it gives every feature the registry to describe itself with. */
@Global()
@Module({
  imports: [DiscoveryModule, ConsoleModule, ContentTypesModule, RecordsModule],
  providers: [Endpoints, OpenApiRegistry, OpenApiDocument, ParameterExamples, DocsAssets, DemoToken],
  exports: [OpenApiRegistry],
})
export class DocsModule {
  /** @param access who reads the description over HTTP */
  static forRoot(access: DocsAccess): DynamicModule {
    return { module: DocsModule, controllers: [HomeController, ...CONTROLLERS[access]] };
  }
}
