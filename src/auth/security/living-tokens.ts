import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Clock } from '../../common/clock.js';
import type { ReadRepository } from '../../database/statements/reads.js';
import { ApiTokenDto } from '../tokens/api/api-token.dto.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { livingAt } from '../tokens/api/rows/token-rows.js';

/** Reads the API tokens of an account that are valid. */
@Injectable()
export class LivingTokens {
  constructor(
    @InjectRepository(ApiToken) private readonly tokens: ReadRepository<ApiToken>,
    private readonly clock: Clock,
    private readonly configured: ConfiguredTokens,
  ) {}

  /** The newest first, at most so many. */
  async of(ownerId: number, most: number): Promise<readonly ApiTokenDto[]> {
    const tokens = await this.tokens.find({
      where: { ...livingAt(this.clock.now()), ...this.configured.living(), ownerId },
      order: { id: 'DESC' },
      take: most,
    });
    return tokens.map((token) => ApiTokenDto.from(token, this.configured));
  }
}
