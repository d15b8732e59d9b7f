import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { OtpModule } from '../proofs/otp/otp.module.js';
import { PasswordsModule } from '../proofs/password/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SessionElevation } from './session-elevation.js';
import { StepUpController } from './step-up.controller.js';
import { StepUpService } from './step-up.service.js';

/** Confirming who one is, for what takes a fresh sign-in. */
@Module({
  imports: [OtpModule, PasswordsModule, SessionsModule, UsersModule],
  controllers: [StepUpController],
  providers: [SessionElevation, StepUpService],
})
export class StepUpModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./step-up.openapi.js')).STEP_UP_API);
  }
}
