import { IfDefined, IsIn, IsInt, ValidateIf } from '../common/dto-rules.js';
import type { Status } from '../content-types/definition/content-type.js';

/** The status that a withdrawn record gets. */
export const WITHDRAWN = ['draft', 'archived'] as const satisfies readonly Status[];
export type Withdrawn = (typeof WITHDRAWN)[number];

/** Body of `POST /api/cms/{type}/{id}/publish` and `…/draft/apply`. */
export class PublishDto {
  /** The version of the working copy that is meant; `null`: the client knows of none. */
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsInt()
  draft_version?: number | null;
}

/** Body of `POST /api/cms/{type}/{id}/unpublish`. */
export class UnpublishDto {
  @IfDefined()
  @IsIn(WITHDRAWN)
  to?: Withdrawn;
}
