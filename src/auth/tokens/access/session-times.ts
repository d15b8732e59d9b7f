import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { Settings } from '../../../config/settings.js';
import type { SignInSettings } from '../../../config/sign-in-settings.js';

/** From when on sessions are over that were not refreshed. */
@Injectable()
export class SessionTimes {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  now(): number {
    return this.clock.now();
  }

  idleSince(): number {
    return this.clock.now() - this.settings.signIn.idleSeconds * 1_000;
  }
}

/** When a session ends unless it is refreshed before: after so long without, and after its whole life in any case. */
export function endOf({ idleSeconds }: SignInSettings, refreshedAt: number, expiresAt: number): number {
  return Math.min(refreshedAt + idleSeconds * 1_000, expiresAt);
}
