import { Injectable } from '@nestjs/common';
import { ExchangeCodes } from '../../exchange/exchange-codes.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { SessionOpener, NewDevices } from '../../sessions/lifecycle/session-opener.js';
import type { FlowStart } from './flow/flow.js';
import type { ProviderIdentity, ProviderProof } from './identity/identity-provider.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import { Settings } from '../../../config/settings.js';
import { AccountResolver } from './linking/account-resolver.js';
import { providerSession } from './identity/identities.js';

/** Signing in with what a provider has proved. Throws what {@link AccountResolver.use} throws. */
@Injectable()
export class ProviderSignInService {
  constructor(
    private readonly accounts: AccountResolver,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
    private readonly devices: NewDevices,
    private readonly settings: Settings,
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
    const { provider, authTime, issuedAt } = identity;
    const ofChoice = wasAsked && isChoiceEnough(this.settings, provider) ? issuedAt : 0;
    return { amr: [provider], providerSid: providerSession(identity), authTime: authTime ?? ofChoice };
  }
}

/** Ways to show the service itself who one is. */
const OWN_WAYS = ['password', 'otp', 'magic-link'] as const;

/**
 * Whether a sign-in is a fresh one if a provider was to have the user sign in again, and does not say when the user did. A
 * session that goes on there shows who has signed in once, not who sits there now. Google and Apple have no user sign in
 * again: that they were asked to choose counts where nothing else can, and at Google where the operator says so.
 *
 * @see OpenID Connect Core 1.0, section 3.1.2.1, and RFC 9470
 */
function isChoiceEnough({ signIn, providers }: Settings, provider: ProviderName): boolean {
  if (provider === 'google' && providers.google?.isChoiceFresh === true) return true;
  return provider !== 'oidc' && !OWN_WAYS.some((way) => signIn.methods.has(way));
}
