import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';

/** The rules for programs that walk the site: the API is no page, and where the sitemap is. */
@Injectable()
export class Robots {
  constructor(private readonly settings: Settings) {}

  text(): string {
    return ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${this.settings.siteUrl}/sitemap.xml`, ''].join('\n');
  }
}
