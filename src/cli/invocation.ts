import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Writable } from 'node:stream';
import { pino } from 'pino';
import { AppModule } from '../app/app.module.js';
import { validationPipe } from '../common/validation.pipe.js';
import type { DatabaseAddress } from '../config/values/database-url.js';
import type { Settings } from '../config/settings.js';
import { dialectFor } from '../database/dialect-for.js';
import type { Dialect } from '../database/dialect/dialect.js';

/** Settings from the environment, each read lazily. @throws {SettingsError} */
export interface Surroundings {
  settings(): Settings;
  /** Needs no other setting than those of the database. */
  database(): DatabaseAddress;
}

/** One run of the command line, as its command sees it. The service starts only when a part of it is asked for. */
export class Invocation {
  private service: Promise<INestApplicationContext> | undefined;

  constructor(
    private readonly surroundings: Surroundings,
    readonly streams: { standardInput(): Promise<string>; standardOutput(): Writable },
  ) {}

  /** @throws {SettingsError} */
  readonly settings = (): Settings => this.surroundings.settings();

  /** The database, for commands that need nothing else of the service. @throws {SettingsError} */
  dialect(): Dialect {
    return dialectFor(this.surroundings.database());
  }

  async get<Part>(part: Type<Part>): Promise<Part> {
    this.service ??= this.start();
    return (await this.service).get(part, { strict: false });
  }

  /** A body by the rules of the API. @throws {ValidationError} */
  async checked<Body>(metatype: Type<Body>, body: object): Promise<Body> {
    // The pipe answers with an instance of the class that it was given.
    return (await validationPipe.transform(body, { type: 'body', metatype })) as Body;
  }

  async close(): Promise<void> {
    await (await this.service)?.close();
  }

  /** Without any log, not even one that is silent: standard output belongs to the command. */
  private start(): Promise<INestApplicationContext> {
    const log = pino({ enabled: false }, { write: () => undefined });
    return NestFactory.createApplicationContext(AppModule.forRoot(this.settings(), log), {
      logger: false,
      abortOnError: false,
    });
  }
}
