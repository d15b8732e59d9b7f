import { Controller, Get } from '@nestjs/common';
import { Public } from '../common/access/access.decorators.js';
import { answer, objectOf } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../common/openapi/endpoint.js';
import { HealthService } from './health.service.js';

interface Health {
  readonly status: 'ok';
}

const HEALTH = named('Health', objectOf({ status: { const: 'ok' } }));

@Public()
@Controller('health')
@EndpointGroup('Health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Endpoint('getLiveness', 'Is the process alive?', {
    description: 'Restart the process when this fails. It touches nothing else, so a slow database does not count.',
    answers: { 200: answer('It runs.', HEALTH) },
  })
  live(): Health {
    return { status: 'ok' };
  }

  @Get('ready')
  @Endpoint('getReadiness', 'May requests be sent here?', {
    description:
      'Send requests elsewhere while this fails: the service is stopping or refuses everything, or its database does not answer or has another time. ' +
      'Asks nothing itself: a probe reads a table each second.',
    answers: { 200: answer('They may.', HEALTH) },
    fails: ['not_ready'],
  })
  ready(): Health {
    this.health.requireReady();
    return { status: 'ok' };
  }
}
