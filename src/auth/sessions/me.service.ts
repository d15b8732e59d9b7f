import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { UsersService } from '../../users/users.service.js';
import { requirePresent } from '../tokens/access/session-ref.js';
import { SessionsService } from './lifecycle/sessions.service.js';
import { signedInUser, type SignedInUser } from './answers/sign-in-answers.js';

/** Who the caller is. A program with an API token is no user and has no session; a user of another issuer has none either. */
export interface Me {
  readonly user: SignedInUser | null;
  readonly session: {
    readonly id: string;
    /** `null`: unknown. */
    readonly auth_time: string | null;
    readonly amr: readonly string[];
    readonly expires_at: string;
  } | null;
  readonly scopes: readonly string[];
}

/** Shows callers who they are. */
@Injectable()
export class MeService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws {DomainError} `invalid_token`: the user is gone */
  async of({ id, scopes, sessionId, issuerRole }: Caller): Promise<Me> {
    const held = [...scopes];
    if (issuerRole !== undefined && id !== null) {
      const known = signedInUser(requirePresent(await this.users.find(id)));
      return { user: { ...known, role: issuerRole }, session: null, scopes: held };
    }
    if (id === null || sessionId === undefined) return { user: null, session: null, scopes: held };
    const [account, found] = await Promise.all([this.users.find(id), this.sessions.find(sessionId)]);
    const session = requirePresent(found);
    return {
      user: signedInUser(requirePresent(account)),
      session: {
        id: session.id,
        auth_time: session.authTime === 0 ? null : new Date(session.authTime).toISOString(),
        amr: session.amr.split(' '),
        expires_at: new Date(session.expiresAt).toISOString(),
      },
      scopes: held,
    };
  }
}
