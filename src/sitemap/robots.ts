import { Injectable } from '@nestjs/common';
import { siteAddress } from '../config/public-address.js';
import { Settings } from '../config/settings.js';

/** The rules for programs that walk the site: the API is no page, and where the sitemap is. */
@Injectable()
export class Robots {
  constructor(private readonly settings: Settings) {}

  text(): string {
    const { gateway } = this.settings;
    const sitemap = siteAddress(this.settings, '/sitemap.xml');
    return ['User-agent: *', `Disallow: ${gateway.basePath}/api/`, '', `Sitemap: ${sitemap}`, ''].join('\n');
  }
}
