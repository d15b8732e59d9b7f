import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiTokensModule } from './api-tokens/api-tokens.module.js';
import { ChallengesModule } from './challenges/challenges.module.js';
import { Credentials } from './credentials.js';
import { BearerGuard } from './guards/bearer.guard.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { PasswordsModule } from './passwords/passwords.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { SessionsModule } from './sessions/sessions.module.js';

/** Who sends a request, and what they may do. */
@Module({
  imports: [
    ApiTokensModule,
    ChallengesModule,
    ExchangeModule,
    InvitationsModule,
    PasswordsModule,
    ProvidersModule,
    SessionsModule,
  ],
  providers: [Credentials, { provide: APP_GUARD, useClass: BearerGuard }],
})
export class AuthModule {}
