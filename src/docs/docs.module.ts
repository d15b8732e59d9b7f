import { Global, Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesModule } from '../content-types/content-types.module.js';
import { DocsAssets } from './docs-assets.js';
import { DocsController } from './docs.controller.js';
import { HomeController } from './home.controller.js';
import { OpenApiDocument } from './openapi-document.js';

/** The description of the API; it gives every feature the registry to describe itself with. */
@Global()
@Module({
  imports: [ContentTypesModule],
  controllers: [DocsController, HomeController],
  providers: [OpenApiRegistry, OpenApiDocument, DocsAssets],
  exports: [OpenApiRegistry],
})
export class DocsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./docs.openapi.js')).DOCS_API);
  }
}
