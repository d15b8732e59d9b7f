import { Controller, Get, UseGuards } from '@nestjs/common';
import { RequireScope } from '../common/access/access.decorators.js';
import type { Envelope } from '../common/envelope.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { AdminHealth, type AdminHealthView } from './admin-health.js';

/** The processes of the service, for administrators. */
@RequireScope('*')
@Controller('api/admin/health')
export class AdminHealthController {
  constructor(private readonly health: AdminHealth) {}

  @Get()
  @UseGuards(knownQuery())
  async view(): Promise<Envelope<AdminHealthView>> {
    return { data: await this.health.view() };
  }
}
