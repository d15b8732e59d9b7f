import { IsIn } from '../../../common/dto-rules.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { IfSent } from '../../../users/user-fields.js';

const TOKEN_MODES = ['token', 'cookie'] as const;

/** Where a client wants its refresh token: in the body, or, for pages in a browser, in a cookie no script can read. */
export type TokenMode = (typeof TOKEN_MODES)[number];

/** Where the refresh token shall go: a part of every body that signs in. */
export class TokenModeDto {
  @IfSent()
  @IsIn(TOKEN_MODES, { message: `mode must be one of: ${TOKEN_MODES.join(', ')}.` })
  mode?: TokenMode;
}

/** {@link TokenModeDto} in the description of the API. */
export const TOKEN_MODE: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  enum: [...TOKEN_MODES],
  default: 'token',
  description: 'Whether the refresh token comes in the body or in a cookie that no script can read.',
};
