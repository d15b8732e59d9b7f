export { createClient, type Client, type ClientOptions } from './client.js';
export { CmsError, type ErrorDetail } from './errors.js';
export type { SessionEvents, SignedInUser } from './session.js';
export type { Call, Method } from './transport.js';
