import { isIPv4 } from 'node:net';

/** Whether a host name of a URL is this machine itself, so that nothing said to it passes a network. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIPv4(host)) return host.startsWith('127.');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1';
}
