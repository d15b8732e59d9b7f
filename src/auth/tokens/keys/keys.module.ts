import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../../common/openapi/openapi.registry.js';
import { KeysController } from './keys.controller.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeys } from './signing-keys.js';

/** The keys of access tokens. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKeyEntity])],
  controllers: [KeysController],
  providers: [SigningKeys],
  exports: [SigningKeys],
})
export class KeysModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./keys.openapi.js')).KEYS_API);
  }
}
