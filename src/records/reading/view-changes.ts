import { Injectable } from '@nestjs/common';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { TaxonomiesService } from '../../taxonomy/taxonomies/taxonomies.service.js';
import type { RecordRow } from '../rows/record-row.js';
import { Actors } from '../rows/actors.js';

/**
 * Detects records whose view has changed without a write: by their type, one of their terms or the name of an author. A
 * change of these has a time that is later than every write before it.
 */
@Injectable()
export class ViewChanges {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly actors: Actors,
  ) {}

  /** Whether a version of a record always looked as it looks now. Its authors were loaded to show it. */
  async isAsWritten(type: CompiledType, row: RecordRow): Promise<boolean> {
    const { updated_at: at, created_by: creator, updated_by: writer } = row;
    const renamedAt = Math.max(this.actors.renamedAt(creator), this.actors.renamedAt(writer));
    return at >= renamedAt && at >= type.updated_at && at > (await this.taxonomies.termsChangedAt(type.taxonomies));
  }
}
