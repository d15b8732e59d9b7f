import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsString,
  ValidateIf,
} from '../../common/dto-rules.js';
import type { RollbackRequest } from './rollback-selection.js';

const MAX_FIELDS = 300;

const isSent = (_: unknown, value: unknown): boolean => value !== undefined;

/** Body of `POST /api/cms/{type}/{id}/rollback/{ts}`. */
export class RollbackDto {
  /** Bring back whether it was published, too. */
  @ValidateIf(isSent)
  @IsBoolean()
  include_status?: boolean;

  /** Bring back only these. */
  @ValidateIf(isSent)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_FIELDS)
  @IsString({ each: true })
  @ArrayUnique()
  fields?: string[];

  /** Only say what would change. */
  @ValidateIf(isSent)
  @IsBoolean()
  dry_run?: boolean;

  static request({ include_status, fields, dry_run }: RollbackDto, isDryRun: boolean): RollbackRequest {
    return { includesStatus: include_status ?? false, fields: fields ?? null, isDryRun: isDryRun || dry_run === true };
  }
}
