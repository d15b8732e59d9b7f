import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../../common/clock.js';
import { cookieOf } from '../../../../common/http/cookie.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { Settings } from '../../../../config/settings.js';
import { AppKeys } from '../../../../config/values/app-keys.js';
import { isSame, newSecret, ownCookie, type OwnCookie } from '../../../secrets/secrets.js';
import type { Flow, FlowStart } from './flow.js';

const LIFE_SECONDS = 600;

/**
 * Binds a sign-in to the browser that began it, without storing anything: the browser keeps the flow, encrypted.
 *
 * @see RFC 7516, RFC 9700 section 4.7
 */
@Injectable()
export class FlowCookies {
  private readonly key: Buffer;
  private readonly keys: readonly Buffer[];

  constructor(
    keys: AppKeys,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.key = keys.key('provider-cookie');
    this.keys = keys.keys('provider-cookie');
  }

  async begin({ res }: Request, provider: ProviderName, start: FlowStart, verifier: string): Promise<Flow> {
    const flow: Flow = { ...start, verifier, state: newSecret() };
    const now = Math.floor(this.clock.now() / 1_000);
    const { EncryptJWT } = await import('jose');
    const sealed = await new EncryptJWT({ flow })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(provider)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFE_SECONDS)
      .encrypt(this.key);
    res?.appendHeader('Set-Cookie', this.cookie(provider, sealed, LIFE_SECONDS));
    return flow;
  }

  /** The flow that this browser has begun with that state; `null`: it has begun none. */
  async find({ headers }: Request, provider: ProviderName, state: string): Promise<Flow | null> {
    const sealed = cookieOf(headers.cookie, this.own(provider).name);
    if (sealed === null) return null;
    const flow = await Promise.any(this.keys.map((key) => this.open(sealed, provider, key))).catch(() => null);
    return flow && isSame(flow.state, state) ? flow : null;
  }

  end({ res }: Request, provider: ProviderName): void {
    res?.appendHeader('Set-Cookie', this.cookie(provider, '', 0));
  }

  private async open(sealed: string, provider: ProviderName, key: Buffer): Promise<Flow> {
    const { jwtDecrypt } = await import('jose');
    const { payload } = await jwtDecrypt<{ flow: Flow }>(sealed, key, {
      audience: provider,
      currentDate: new Date(this.clock.now()),
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    return payload.flow;
  }

  private own(provider: ProviderName): OwnCookie {
    return ownCookie(this.settings, `oauth_${provider}`);
  }

  /** Lax and not Strict: the browser comes back from another site. */
  private cookie(provider: ProviderName, value: string, seconds: number): string {
    const { name, path, secure } = this.own(provider);
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}
