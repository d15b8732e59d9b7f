import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ExchangeCodes } from './exchange-codes.js';
import { ExchangeController } from './exchange.controller.js';
import { ExchangeService } from './exchange.service.js';
import { RedirectTargets } from './redirect-targets.js';

/** The end of sign-ins that lead elsewhere: where they may lead to, and the codes that are exchanged for tokens there. */
@Module({
  imports: [SessionsModule, UsersModule],
  controllers: [ExchangeController],
  providers: [ExchangeCodes, ExchangeService, RedirectTargets],
  exports: [ExchangeCodes, RedirectTargets],
})
export class ExchangeModule {}
