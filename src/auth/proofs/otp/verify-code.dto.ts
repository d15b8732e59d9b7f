import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { Matches } from '../../../common/dto-rules.js';
import { IsEmailAddress, Required } from '../../../users/user-fields.js';
import { MAILED_CODE } from '../challenges/challenge-schemas.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';

/** Six digits as people type them: `'123 456'`, `'123-456'`. A number would have lost its zeros in front. */
export const IsCode = () =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown =>
      typeof value === 'string' ? value.replace(/[\s-]/g, '') : (value as unknown),
    ),
    Matches(new RegExp(MAILED_CODE.pattern), { message: 'code must be a string of six digits.' }),
  );

/** Body of `POST /api/auth/otp/verify`. */
export class VerifyCodeDto extends TokenModeDto {
  @Required()
  @IsEmailAddress()
  email!: string;

  @IsCode()
  code!: string;
}
