import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserListeners, type ChangeEffects, type UserListener } from '../../users/user-listeners.js';
import { IssuerUsers } from './issuer-users.js';

/** Has a change of a user count at once in the process that made it, for users of issuers and gateways too. */
@Injectable()
export class IssuerUserListener implements UserListener, OnModuleInit {
  constructor(
    private readonly listeners: UserListeners,
    private readonly users: IssuerUsers,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  changed(): Promise<ChangeEffects> {
    return Promise.resolve({ details: {}, serviceTokens: null });
  }

  removed(): Promise<void> {
    return Promise.resolve();
  }

  settled(): void {
    this.users.settled();
  }
}
