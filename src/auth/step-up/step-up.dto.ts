import { IfSent, IsOldPassword } from '../../users/user-fields.js';
import { IsCode } from '../proofs/otp/verify-code.dto.js';

/** Body of `POST /api/auth/step-up`: one of the two. */
export class StepUpDto {
  @IfSent()
  @IsOldPassword()
  password?: string;

  @IfSent()
  @IsCode()
  code?: string;
}
