import type { Gateway } from '../common/http/arriving/gateway.js';

interface PublicUrl {
  readonly publicUrl: string;
  readonly gateway: Pick<Gateway, 'basePath'>;
}

/** The address of a path for clients, by the settings and never by a request. @param path `/api/docs`, or empty */
export function publicAddress({ publicUrl, gateway }: PublicUrl, path: string): string {
  return publicUrl + gateway.basePath + path;
}

/** The address of a file that the website hands on to the service, such as `/sitemap.xml`. */
export function siteAddress(settings: PublicUrl & { readonly siteUrl: string }, path: string): string {
  const { siteUrl, publicUrl } = settings;
  return siteUrl === publicUrl ? publicAddress(settings, path) : siteUrl + path;
}
