import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsString,
  IfDefined,
} from '../../common/dto-rules.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { RollbackRequest } from './rollback-selection.js';

/** The parts that a rollback is limited to, in the description of the API; the DTO reads its limits. */
export const ROLLBACK_FIELDS = {
  type: 'array',
  description: 'Only these: built-in parts, fields, taxonomies, or `terms` for all of them.',
  minItems: 1,
  maxItems: 300,
  uniqueItems: true,
  items: { type: 'string' },
} satisfies OpenAPIV3_1.SchemaObject;

/** Body of `POST /api/cms/{type}/{id}/rollback/{ts}`. */
export class RollbackDto {
  /** Bring back whether it was published, too. */
  @IfDefined()
  @IsBoolean()
  include_status?: boolean;

  /** Bring back only these. */
  @IfDefined()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(ROLLBACK_FIELDS.maxItems)
  @IsString({ each: true })
  @ArrayUnique()
  fields?: string[];

  /** Only say what would change. */
  @IfDefined()
  @IsBoolean()
  dry_run?: boolean;

  static request(
    { include_status, fields, dry_run }: RollbackDto,
    { isDryRun }: { readonly isDryRun: boolean },
  ): RollbackRequest {
    return { includesStatus: include_status ?? false, fields: fields ?? null, isDryRun: isDryRun || dry_run === true };
  }
}
