/**
 * Every failure a client can meet: its released name and its HTTP status.
 * Clients switch on the names, so none is ever renamed.
 */
export const ERROR_STATUS = {
  malformed_request: 400,
  malformed_json: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  invalid_state: 400,
  invalid_code_exchange: 400,

  unauthorized: 401,
  invalid_token: 401,
  invalid_credentials: 401,
  invalid_code: 401,
  invalid_link: 401,
  invalid_refresh_token: 401,
  refresh_token_reused: 401,
  access_denied: 401,
  invalid_id_token: 401,
  insufficient_scope: 403,
  account_disabled: 403,
  csrf_rejected: 403,
  signup_closed: 403,
  provider_email_unverified: 403,

  not_found: 404,
  record_not_found: 404,
  revision_not_found: 404,
  type_not_found: 404,
  taxonomy_not_found: 404,
  term_not_found: 404,
  user_not_found: 404,
  token_not_found: 404,
  session_not_found: 404,

  method_not_allowed: 405,
  request_timeout: 408,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  headers_too_large: 431,

  slug_taken: 409,
  ambiguous_revision: 409,
  email_taken: 409,
  type_exists: 409,
  type_not_empty: 409,
  type_in_use: 409,
  taxonomy_exists: 409,
  taxonomy_not_empty: 409,
  taxonomy_in_use: 409,
  term_exists: 409,
  term_in_use: 409,
  last_admin: 409,
  account_link_required: 409,

  version_conflict: 412,
  validation_failed: 422,
  too_many_requests: 429,

  internal_error: 500,
  revision_damaged: 500,
  provider_unavailable: 502,
  provider_not_configured: 503,
  overloaded: 503,
  outcome_unknown: 503,
  storage_full: 503,
  not_ready: 503,
} as const;

export type ErrorName = keyof typeof ERROR_STATUS;
