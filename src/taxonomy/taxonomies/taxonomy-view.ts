import { wholeList, type ListEnvelope } from '../../common/envelope.js';
import { timeText } from '../../common/text/time-text.js';
import type { Taxonomy } from './taxonomy.js';

/** A taxonomy as the API shows it. */
export interface TaxonomyView {
  readonly name: string;
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly hierarchical: boolean;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export function taxonomyView(taxonomy: Taxonomy): TaxonomyView {
  return {
    name: taxonomy.name,
    label: taxonomy.label,
    label_plural: taxonomy.labelPlural,
    description: taxonomy.description,
    hierarchical: taxonomy.isHierarchical,
    version: taxonomy.version,
    created_at: timeText(taxonomy.createdAt),
    updated_at: timeText(taxonomy.updatedAt),
  };
}

export function taxonomyList(taxonomies: readonly Taxonomy[]): ListEnvelope<TaxonomyView> {
  return wholeList(taxonomies.map(taxonomyView));
}

/** Validator of a taxonomy, which changes with its version. */
export function versionTag({ version }: Taxonomy): string {
  return `"${version}"`;
}
