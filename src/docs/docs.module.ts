import { Global, Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';

@Global()
@Module({ providers: [OpenApiRegistry], exports: [OpenApiRegistry] })
export class DocsModule {}
