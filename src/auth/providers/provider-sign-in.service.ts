import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../common/access/visitor.js';
import { ExchangeCodes } from '../exchange/exchange-codes.js';
import type { OpenedSession } from '../sessions/opened-session.js';
import { SessionOpener } from '../sessions/session-opener.js';
import { ProvenAccounts, type ProviderProof } from './proven-accounts.js';

/** Signing in with what a provider has proved. Throws what {@link ProvenAccounts.use} throws. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly accounts: ProvenAccounts,
    private readonly sessions: SessionOpener,
    private readonly codes: ExchangeCodes,
  ) {}

  async open(proof: ProviderProof, visitor: Visitor): Promise<OpenedSession> {
    const { provider } = proof.identity;
    return this.accounts.use(proof, (manager, account) =>
      this.sessions.open(manager, { account, amr: [provider], event: 'provider.sign_in', provider, visitor }),
    );
  }

  /** A one-time code for the page that a browser goes back to; whoever exchanges it gets the session. */
  async issueCode(proof: ProviderProof, codeChallenge: string | null): Promise<string> {
    const amr = [proof.identity.provider];
    return this.accounts.use(proof, (manager, { id: userId }) =>
      this.codes.issue(manager, { userId, amr, codeChallenge }),
    );
  }
}
