export { createClient, type Client, type ClientOptions, type SignedInUser } from './client.js';
export { CmsError, type ErrorDetail } from './errors.js';
export type { Call, Method } from './transport.js';
