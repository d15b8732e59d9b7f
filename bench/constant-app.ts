import 'reflect-metadata';
import { Controller, Get, Module, Param, Res, type DynamicModule } from '@nestjs/common';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { AppModule } from '../src/app/app.module.js';
import { createApp } from '../src/app/app.setup.js';
import { RequireScope } from '../src/common/access/access.decorators.js';
import { Answer } from '../src/common/http/answer.js';
import { createLogger } from '../src/common/logging/logger.js';
import { readSettings } from '../src/config/settings.js';
import { serve } from '../src/app/serve.js';

const bodies = JSON.parse(readFileSync(process.env.BENCH_CONSTANTS ?? '', 'utf8')) as Record<string, object>;
const bytes = new Map(Object.entries(bodies).map(([name, body]) => [name, Buffer.from(JSON.stringify(body))]));

/** Costs of the framework: the guard, the log, the headers and the body of a real answer, without the work behind it. */
@Controller('api/constant/:type')
class ConstantController {
  /** An object that is serialised for each answer, as those of the service are. */
  @Get(':name')
  @RequireScope('records:read')
  constant(@Param('name') name: string): Answer<object> {
    return Answer.tagged(bodies[name] ?? {}, '"1"');
  }

  /** Ready bytes: nothing is left to do for any handler. */
  @Get(':name/bytes')
  @RequireScope('records:read')
  bytes(@Param('name') name: string, @Res() response: Response): void {
    const body = bytes.get(name) ?? Buffer.alloc(0);
    response.setHeader('ETag', '"1"');
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Vary', 'Authorization');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

@Module({ controllers: [ConstantController] })
class ConstantModule {}

// The very application, not a copy of its set-up that would fall behind. The constants stand just before the records,
// so that the router finds both after about as many steps.
const service = AppModule.forRoot.bind(AppModule);
AppModule.forRoot = (...settings): DynamicModule => {
  const { imports = [], ...rest } = service(...settings);
  return { ...rest, imports: [...imports.slice(0, -1), ConstantModule, ...imports.slice(-1)] };
};

await serve(async () => {
  const settings = readSettings('production');
  const log = createLogger({ level: settings.logLevel, isForPeople: false });
  return { app: await createApp(settings, log), settings, log };
});
