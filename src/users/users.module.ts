import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passwords } from './passwords/passwords.js';
import { PwnedPasswords } from './passwords/pwned-passwords.js';
import { Accounts } from './rows/accounts.js';
import { ActingAdmins } from './roles/acting-admins.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import { ManagedRoles } from './roles/managed-roles.js';
import { UserChanges } from './user-changes.js';
import { UserLocks } from './rows/user-locks.js';
import { UserRules } from './user-rules.js';
import { User } from './rows/user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [
    Accounts,
    ActingAdmins,
    CredentialLookup,
    ManagedRoles,
    Passwords,
    PwnedPasswords,
    UserChanges,
    UserLocks,
    UserRules,
    UsersService,
  ],
  exports: [Accounts, ActingAdmins, CredentialLookup, ManagedRoles, Passwords, UserChanges, UserLocks, UsersService],
})
export class UsersModule {}
