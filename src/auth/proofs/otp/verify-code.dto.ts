import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { Matches } from '../../../common/dto-rules.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { BodySchema } from '../../../common/openapi/endpoint.js';
import { IsEmailAddress, Required } from '../../../users/user-fields.js';
import { USER_EMAIL } from '../../../users/user-schemas.js';
import { TokenModeDto, TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { MAILED_CODE } from '../challenges/challenge-schemas.js';
import { MAX_TYPED, typedCode } from '../challenges/typed-code.js';

/** Six digits as people type them, see {@link typedCode}. A number would have lost its zeros in front. */
export const IsCode = () =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown =>
      typeof value === 'string' && value.length <= MAX_TYPED ? typedCode(value) : (value as unknown),
    ),
    Matches(/^[0-9]{6}$/, { message: 'code must be a string of six digits.' }),
  );

/** Body of `POST /api/auth/otp/verify`. */
@BodySchema(
  'VerifyCode',
  objectOf({ email: USER_EMAIL, code: MAILED_CODE, mode: TOKEN_MODE }, { required: ['email', 'code'] }),
  { email: 'ann@example.com', code: '048213' },
)
export class VerifyCodeDto extends TokenModeDto {
  @Required()
  @IsEmailAddress()
  email!: string;

  @IsCode()
  code!: string;
}
