import { Controller, Get } from '@nestjs/common';
import { Public } from '../common/access/access.decorators.js';
import { HealthService } from './health.service.js';

interface Health {
  readonly status: 'ok';
}

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process runs. Touches nothing else, so that a slow database does not get the process killed. */
  @Get('live')
  live(): Health {
    return { status: 'ok' };
  }

  /** Requests may be sent here. */
  @Get('ready')
  ready(): Health {
    this.health.requireReady();
    return { status: 'ok' };
  }
}
