import { Injectable } from '@nestjs/common';
import { ExchangeCodes } from '../../exchange/exchange-codes.js';
import { NewDevices } from '../../sessions/lifecycle/new-devices.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import type { FlowStart } from './flow/flow.js';
import type { ProviderIdentity, ProviderProof } from './identity/identity-provider.js';
import { ProviderAuthTimes } from './provider-auth-times.js';
import { AccountResolver } from './linking/account-resolver.js';
import { providerSession } from './identity/provider-session.js';

/** Signing in with what a provider has proved. Throws what {@link AccountResolver.use} throws. */
@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly accounts: AccountResolver,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly devices: NewDevices,
    private readonly times: ProviderAuthTimes,
  ) {}

  /** @param wasAsked whether the provider was to have the user sign in again */
  async open(proof: ProviderProof, wasAsked: boolean): Promise<OpenedSession> {
    const { identity, visitor } = proof;
    const { provider } = identity;
    const means = { provider, ...this.meansOf(identity, wasAsked) };
    return this.accounts.use(proof, (manager, account) =>
      this.sessions.open(manager, { account, event: 'provider.sign_in', visitor, ...means }),
    );
  }

  /** A one-time code for the page that a browser goes back to, which is exchanged for the session. */
  async issueCode(
    proof: ProviderProof,
    { codeChallenge, maxAge }: Pick<FlowStart, 'codeChallenge' | 'maxAge'>,
  ): Promise<string> {
    const { identity, visitor } = proof;
    const means = this.meansOf(identity, typeof maxAge === 'number');
    return this.accounts.use(proof, (manager, account) =>
      this.codes.issue(manager, {
        userId: account.id,
        codeChallenge,
        isKnownDevice: this.devices.isKnown(account, visitor),
        ...means,
      }),
    );
  }

  private meansOf(identity: ProviderIdentity, wasAsked: boolean) {
    const authTime = this.times.of(identity, wasAsked);
    return { amr: [identity.provider], providerSid: providerSession(identity), authTime };
  }
}
