import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiTokensModule } from '../tokens/api/api-tokens.module.js';
import { PersonalTokenRevocation } from './personal-token-revocation.js';
import { UserTokensController } from './user-tokens.controller.js';
import { UserTokensService } from './user-tokens.service.js';

/** The API tokens of users, for administrators. */
@Module({
  imports: [AccountsModule, ApiTokensModule, UsersModule],
  controllers: [UserTokensController],
  providers: [PersonalTokenRevocation, UserTokensService],
})
export class UserTokensModule {}
