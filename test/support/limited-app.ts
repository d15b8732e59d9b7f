import { Body, Controller, Get, HttpCode, Module, Post, type INestApplication } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { Throttle } from '@nestjs/throttler';
import type { Express } from 'express';
import type { Server } from 'node:http';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { LimitedByHandler } from '../../src/auth/limits/auth-limit.js';
import { CallerResolver, BearerGuard } from '../../src/auth/guards/bearer.guard.js';
import { SignInFreshness } from '../../src/auth/sessions/lifecycle/sign-in-freshness.js';
import { CurrentVisitor, type Visitor } from '../../src/common/access/visitor.js';
import { Public } from '../../src/common/access/access.decorators.js';
import { Clock } from '../../src/common/clock.js';
import { DomainError } from '../../src/common/errors/domain-error.js';
import { ErrorFilter } from '../../src/common/errors/error.filter.js';
import { ContentAdapter } from '../../src/common/http/sending/content-adapter.js';
import { unreadBody } from '../../src/common/http/body/unread-body.js';
import { requestContext } from '../../src/common/http/request-context.js';
import { RouteTable } from '../../src/common/http/routes/route-table.js';
import { MetricsModule } from '../../src/common/metrics/metrics.module.js';
import { budget } from '../../src/common/rate-limits/budgets.js';
import { RateLimitsModule } from '../../src/common/rate-limits/rate-limits.module.js';
import { validationPipe } from '../../src/common/validation.pipe.js';
import { readSettings, type Settings } from '../../src/config/settings.js';

@Public()
@Controller('api/auth')
class SignInController {
  @Post('login')
  @HttpCode(204)
  @Throttle(budget('login'))
  login(): void {
    // The limits decide, not the answer.
  }

  @Post('otp/send')
  @HttpCode(204)
  @Throttle(budget('send'))
  sendCode(): void {
    // The limits decide, not the answer.
  }

  @Post('password/forgot')
  @HttpCode(204)
  @Throttle(budget('send'))
  sendReset(): void {
    // The limits decide, not the answer.
  }

  /** Refuses what does not call itself good. */
  @Post('refresh')
  @LimitedByHandler()
  async refresh(@Body() body: object, @CurrentVisitor() { loan }: Visitor): Promise<void> {
    if ('good' in body) return loan?.giveBack();
    throw new DomainError('malformed_request', `There is nothing to refresh in ${JSON.stringify(body)}.`);
  }

  @Get('methods')
  methods(): object {
    return {};
  }
}

/** Another class with routes of the same budget. */
@Public()
@Controller('api/auth/magic-link')
class MagicLinkController {
  @Post()
  @HttpCode(204)
  @Throttle(budget('send'))
  sendLink(): void {
    // The limits decide, not the answer.
  }
}

@Controller('api/things')
class ThingsController {
  @Get()
  list(): object {
    return {};
  }
}

export const GOOD_TOKEN = 'a-token-that-is-somebodys';

@Module({})
class LimitedModule {
  static with(settings: Settings): object {
    const { gateway, limits } = settings;
    const caller = { kind: 'user', id: 1, name: 'Ana', scopes: new Set(['*']) };
    const credentials = {
      callerOf: (token: string) => Promise.resolve(token === GOOD_TOKEN ? caller : null),
      namedBy: () => Promise.resolve(null),
    };
    return {
      module: LimitedModule,
      imports: [MetricsModule.forRoot(new Registry()), RateLimitsModule.forRoot(limits, gateway.maxRequests)],
      controllers: [SignInController, MagicLinkController, ThingsController],
      providers: [
        { provide: CallerResolver, useValue: credentials },
        { provide: SignInFreshness, useValue: new SignInFreshness(new Clock(), settings) },
        { provide: APP_GUARD, useClass: BearerGuard },
      ],
    };
  }
}

export interface LimitedApp {
  readonly app: INestApplication<Server>;
  http(): ReturnType<typeof supertest.agent>;
}

/** Routes with limits, behind the guard, the settings and the filter of the service, and nothing else of it. */
export async function startLimitedApp(environment: Record<string, string> = {}): Promise<LimitedApp> {
  const settings = readSettings('test', environment);
  const log = pino({ level: 'silent' });
  const adapter = new ContentAdapter(settings.gateway);
  const express = adapter.getInstance<Express>();
  express.set('trust proxy', settings.trustProxy);
  const module = LimitedModule.with(settings) as typeof LimitedModule;
  const app = await NestFactory.create<INestApplication<Server>>(module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.use(requestContext(log, { isHttps: false }));
  app.use(unreadBody);
  app.useGlobalPipes(validationPipe);
  app.useGlobalFilters(
    new ErrorFilter(
      log,
      new RouteTable(express),
      () => null,
      () => undefined,
    ),
  );
  await app.listen(0, '127.0.0.1');
  return { app, http: () => supertest.agent(app.getHttpServer()) };
}
