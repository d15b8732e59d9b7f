import { Injectable, type PipeTransform } from '@nestjs/common';
import { inPath } from '../common/openapi/describe.js';
import { isOwnName } from '../common/text/names.js';
import type { CompiledType } from './definition/content-type.js';
import { ContentTypesService, typeNotFound } from './store/content-types.service.js';

/**
 * The content type that a path names. Everything that can be no type, such as `types`, `search` or `__proto__`,
 * ends here, so that no handler of records ever answers for it.
 */
@Injectable()
export class TypeNamePipe implements PipeTransform<string, Promise<CompiledType>> {
  /** In the description of the API. */
  static readonly parameter = { ...inPath('type', 'Name of the content type.'), example: 'post' };

  constructor(private readonly types: ContentTypesService) {}

  /** @throws {DomainError} `type_not_found` */
  async transform(name: string): Promise<CompiledType> {
    if (!isOwnName(name)) throw typeNotFound(name);
    return this.types.require(name);
  }
}
