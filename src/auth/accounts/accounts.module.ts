import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialLookup } from '../../users/rows/credential-lookup.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountLocks } from '../limits/account-locks.js';
import { AccountTries } from '../limits/account-tries.js';
import { Counter } from '../limits/counter.entity.js';
import { KnownClients } from '../limits/known-clients.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountCredentials } from './account-credentials.js';
import { ActingAdminCheck } from './acting-admin-check.js';
import { ChangedAccounts, CredentialRevocation } from './credential-revocation.js';
import { Identity } from './identity.entity.js';
import { LinkedIdentities } from './linked-identities.js';
import { ManagedRoleRemoval } from './managed-role-removal.js';
import { ProvenMailbox } from './proven-mailbox.js';
import { SignInJobs } from './sign-in-jobs.js';
import { SignUp } from './sign-up.js';

/** What every way to sign in does with accounts. */
@Module({
  imports: [SessionsModule, TypeOrmModule.forFeature([Counter, Identity]), UsersModule],
  providers: [
    AccountCredentials,
    AccountLocks,
    AccountTries,
    ActingAdminCheck,
    ChangedAccounts,
    CredentialRevocation,
    KnownClients,
    LinkedIdentities,
    ManagedRoleRemoval,
    ProvenMailbox,
    SignInJobs,
    SignUp,
  ],
  exports: [
    AccountCredentials,
    AccountLocks,
    AccountTries,
    ActingAdminCheck,
    CredentialRevocation,
    KnownClients,
    LinkedIdentities,
    ManagedRoleRemoval,
    ProvenMailbox,
    SignUp,
  ],
})
export class AccountsModule {
  constructor(lookup: CredentialLookup, credentials: AccountCredentials, changed: ChangedAccounts) {
    lookup.use(credentials, changed);
  }
}
