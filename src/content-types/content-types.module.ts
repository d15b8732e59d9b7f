import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { ContentTypesController } from './content-types.controller.js';
import { ContentTypes } from './content-types.service.js';
import { DepartureChores } from './departure-chores.js';
import { IndexBuilder } from './index-builder.service.js';
import { IndexRepair } from './index-repair.service.js';
import { IndexWork } from './index-work.service.js';
import { KnownTaxonomiesHolder } from './known-taxonomies.port.js';
import { TypeCatalogue } from './type-catalogue.service.js';
import { TypeChores } from './type-chores.js';
import { TypeCopies } from './type-copies.js';
import { TypeDepartures } from './type-departures.service.js';
import { TypeInspections } from './type-inspection.service.js';
import { TypeManagement } from './type-management.service.js';
import { TypeManagementController } from './type-management.controller.js';
import { TypeRemoval } from './type-removal.service.js';
import { TypeStore } from './type-store.js';
import { TypeUpdates } from './type-update.service.js';
import { TypeUsageHolder } from './type-usage.port.js';
import { TypeWatches } from './type-watches.js';

@Module({
  controllers: [ContentTypesController, TypeManagementController],
  providers: [
    ContentTypes,
    DepartureChores,
    IndexBuilder,
    IndexRepair,
    IndexWork,
    KnownTaxonomiesHolder,
    TypeCatalogue,
    TypeChores,
    TypeCopies,
    TypeDepartures,
    TypeInspections,
    TypeManagement,
    TypeRemoval,
    TypeStore,
    TypeUpdates,
    TypeWatches,
    TypeUsageHolder,
  ],
  exports: [ContentTypes, KnownTaxonomiesHolder, TypeCatalogue, TypeCopies, TypeManagement, TypeUsageHolder],
})
export class ContentTypesModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./content-types.openapi.js')).CONTENT_TYPES_API);
  }
}
