import { Injectable } from '@nestjs/common';
import { And, In, IsNull, Not, Or, type FindOptionsWhere } from 'typeorm';
import type { Caller } from '../../../../common/access/caller.js';
import { Settings } from '../../../../config/settings.js';
import type { ApiToken } from './api-token.entity.js';

/** `removed`: the token of the configuration of an API token is not in it any more. */
export const CONFIGURED_PARENT_STATES = ['present', 'removed'] as const;
export type ConfiguredParentState = (typeof CONFIGURED_PARENT_STATES)[number];

/** The tokens of `API_TOKENS`, and whether what was made with one is still valid in this process. */
@Injectable()
export class ConfiguredTokens {
  /** Callers by the hash of their secret. */
  private readonly callers: ReadonlyMap<string, Caller>;

  constructor({ apiTokens }: Settings) {
    this.callers = new Map(
      apiTokens.map(({ name, sha256, scopes }) => [
        sha256,
        { kind: 'token', id: null, name, scopes: new Set(scopes), configured: sha256 },
      ]),
    );
  }

  private get hashes(): readonly string[] {
    return [...this.callers.keys()];
  }

  /** @param hash SHA-256 of a secret, lower-case hexadecimal */
  callerOf(hash: string): Caller | undefined {
    return this.callers.get(hash);
  }

  /** `null`: it was made with none. */
  parentOf({ configuredParent }: Pick<ApiToken, 'configuredParent'>): ConfiguredParentState | null {
    if (configuredParent === null) return null;
    return this.callers.has(configuredParent) ? 'present' : 'removed';
  }

  /** A condition on API tokens: they did not end with one of the configuration. */
  living(): FindOptionsWhere<ApiToken> {
    return { configuredParent: Or(IsNull(), In(this.hashes)) };
  }

  /** The opposite of {@link living}. */
  ended(): FindOptionsWhere<ApiToken> {
    return { configuredParent: And(Not(IsNull()), Not(In(this.hashes))) };
  }
}
