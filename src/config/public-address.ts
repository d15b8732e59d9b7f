import type { GatewaySettings } from './gateway-settings.js';

/** The settings that say where the service is. */
interface Place {
  readonly publicUrl: string;
  readonly gateway: Pick<GatewaySettings, 'basePath'>;
}

/**
 * The address by which clients reach a path of the service, made of the settings and never of a request:
 * `/api/docs` -> `https://example.com/cms/api/docs`. All addresses that leave the service are made here.
 *
 * @param path begins with a slash; empty: the address of the service itself
 */
export function publicAddress({ publicUrl, gateway }: Place, path: string): string {
  return publicUrl + gateway.basePath + path;
}

/**
 * The address of a file that the website hands on to the service, such as `/sitemap.xml`; without a website of its own
 * the file is where the service is.
 */
export function siteAddress(settings: Place & { readonly siteUrl: string }, path: string): string {
  const { siteUrl, publicUrl } = settings;
  return siteUrl === publicUrl ? publicAddress(settings, path) : siteUrl + path;
}
