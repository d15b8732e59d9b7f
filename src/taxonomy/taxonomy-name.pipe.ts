import { Injectable, type PipeTransform } from '@nestjs/common';
import { inPath } from '../common/openapi/describe.js';
import { isOwnName } from '../common/text/names.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import { taxonomyNotFound } from './taxonomies/taxonomy.errors.js';
import type { Taxonomy } from './taxonomies/taxonomy.js';

/** The taxonomy that a path names. What can be none, such as `__proto__`, is simply not there. */
@Injectable()
export class TaxonomyNamePipe implements PipeTransform<string, Promise<Taxonomy>> {
  /** In the description of the API. */
  static readonly parameter = { ...inPath('taxonomy', 'Name of the taxonomy.'), example: 'category' };

  constructor(private readonly taxonomies: TaxonomiesService) {}

  /** @throws {DomainError} `taxonomy_not_found` */
  async transform(name: string): Promise<Taxonomy> {
    if (!isOwnName(name)) throw taxonomyNotFound(name);
    return this.taxonomies.require(name);
  }
}
