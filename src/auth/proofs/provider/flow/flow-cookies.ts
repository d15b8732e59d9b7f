import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../../common/clock.js';
import { cookieOf } from '../../../../common/http/cookie.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { Settings } from '../../../../config/settings.js';
import { AppKeys } from '../../../../config/values/app-keys.js';
import { isSame, newSecret, ownCookie, type OwnCookie } from '../../../secrets/secrets.js';
import { invalidState } from '../identity/provider.errors.js';
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

  /** Gives the browser a new flow. */
  async begin({ res }: Request, provider: ProviderName, start: FlowStart, verifier: string): Promise<Flow> {
    const flow: Flow = { ...start, verifier, state: newSecret() };
    const now = this.seconds();
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

  /**
   * Takes the flow back from the browser, once.
   *
   * @throws {DomainError} `invalid_state`: this browser has begun no sign-in with that state
   */
  async end(request: Request, provider: ProviderName, state: string): Promise<Flow> {
    const sealed = cookieOf(request.headers.cookie, this.name(provider));
    const flow = sealed === null ? null : await this.openAny(sealed, provider);
    if (!flow || !isSame(flow.state, state)) throw invalidState();
    request.res?.appendHeader('Set-Cookie', this.cookie(provider, '', 0));
    return flow;
  }

  /** The flow that {@link end} would take back; `null`: this browser has begun none with that state. */
  async peek({ headers }: Request, provider: ProviderName, state: string): Promise<Flow | null> {
    const sealed = cookieOf(headers.cookie, this.name(provider));
    const flow = sealed === null ? null : await this.openAny(sealed, provider).catch(() => null);
    return flow && isSame(flow.state, state) ? flow : null;
  }

  private async openAny(sealed: string, provider: ProviderName): Promise<Flow> {
    try {
      return await Promise.any(this.keys.map((key) => this.open(sealed, provider, key)));
    } catch (cause) {
      throw invalidState(cause);
    }
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

  private name(provider: ProviderName): string {
    return this.own(provider).name;
  }

  private own(provider: ProviderName): OwnCookie {
    return ownCookie(this.settings, `oauth_${provider}`);
  }

  /** Lax and not Strict: the browser comes back from another site. */
  private cookie(provider: ProviderName, value: string, seconds: number): string {
    const { name, path, secure } = this.own(provider);
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  private seconds(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
