import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module.js';
import { ApiTokensModule } from '../api-tokens/api-tokens.module.js';
import { AccountTries } from '../limits/account-tries.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountListener } from './account-listener.js';
import { ProvenMailbox } from './proven-mailbox.js';
import { SignInRetention } from './sign-in-retention.js';
import { SignUp } from './sign-up.js';

/** What every way to sign in does with accounts. */
@Module({
  imports: [ApiTokensModule, SessionsModule, UsersModule],
  providers: [AccountListener, AccountTries, ProvenMailbox, SignInRetention, SignUp],
  exports: [AccountTries, ProvenMailbox, SignUp],
})
export class AccountsModule {}
