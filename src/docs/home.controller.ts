import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../common/access/access.decorators.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { Page } from '../common/http/page.js';
import { Settings } from '../config/settings.js';
import { home, homePage, type Home } from './home.js';

/** What leads to the root from each address. */
const UP: ReadonlyMap<string, string> = new Map([
  ['/', ''],
  ['/api', ''],
  ['/api/', '../'],
]);

/** The address of the service itself: what a newcomer types first. */
@Public()
@Controller()
export class HomeController {
  private readonly home: Home;

  constructor(private readonly settings: Settings) {
    this.home = home(settings.docs, settings.gateway.basePath);
  }

  /** @throws {DomainError} `not_found` for `//`, which the router takes for the root */
  @Get(['/', 'api'])
  @Header('Vary', 'Accept')
  read(@Req() request: Request): Home | Page {
    const { docs, gateway } = this.settings;
    const up = UP.get(request.path);
    if (up === undefined) throw new DomainError('not_found', 'There is nothing at this address.');
    // `/cms` and `/cms/` are one address: nothing relative leads on from both.
    const root = gateway.basePath === '' ? up : `${gateway.basePath}/`;
    // Programs accept anything and get JSON; browsers name HTML first.
    return request.accepts(['json', 'html']) === 'html' ? homePage(this.home, docs, root) : this.home;
  }
}
