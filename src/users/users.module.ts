import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Passwords, PwnedPasswords } from './passwords/passwords.js';
import { ActingAdmins } from './roles/acting-admins.js';
import { ManagedRoles } from './roles/managed-roles.js';
import { Accounts } from './rows/accounts.js';
import { CredentialLookup } from './rows/credential-lookup.js';
import { User } from './rows/user.entity.js';
import { UserChanges, UserRules } from './user-changes.js';
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
    UserRules,
    UsersService,
  ],
  exports: [Accounts, ActingAdmins, CredentialLookup, ManagedRoles, Passwords, UserChanges, UsersService],
})
export class UsersModule {}
