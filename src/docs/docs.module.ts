import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { Settings, type DocsAccess } from '../config/settings.js';
import { ConsoleModule } from '../console/console.module.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { DocsAssets } from './docs-assets.js';
import { DocsController, OpenApiController, PublicOpenApiController } from './docs.controller.js';
import { HomeController } from './home.controller.js';
import { OpenApiDocument } from './openapi-document.js';

/** A browser sends no token for a page, so the page is there for everyone or for no one. */
const CONTROLLERS: Readonly<Record<DocsAccess, Type[]>> = {
  public: [PublicOpenApiController, DocsController],
  token: [OpenApiController],
  off: [],
};

/** The description of the API; it gives every feature the registry to describe itself with. */
@Global()
@Module({
  imports: [ConsoleModule, ContentTypesModule],
  providers: [OpenApiRegistry, OpenApiDocument, DocsAssets],
  exports: [OpenApiRegistry],
})
export class DocsModule {
  constructor(registry: OpenApiRegistry, { docs }: Settings) {
    registry.add(async () => (await import('./docs.openapi.js')).docsApi(docs));
  }

  /** @param access who reads the description over HTTP */
  static forRoot(access: DocsAccess): DynamicModule {
    return { module: DocsModule, controllers: [...CONTROLLERS[access], HomeController] };
  }
}
