import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SearchIndex } from '../search-index.js';
import { LocalSearchIndex } from './local-search-index.js';

/** Has a service keep its local index. A command of the command line answers no searches and makes none. */
@Injectable()
export class LocalStart implements OnApplicationBootstrap {
  constructor(
    private readonly index: SearchIndex,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    // There is none in a context without a server, whatever its type says.
    const isService = Boolean(this.host.httpAdapter);
    if (isService && this.index instanceof LocalSearchIndex) this.index.start();
  }
}
