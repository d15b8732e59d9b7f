import { nearestName } from '../../common/text/nearest-word.js';

/** The name of every setting. Each can be given as a file too, with `_FILE` behind it. */
export const SETTING_NAMES = `
ADMIN_EMAIL ALLOW_HTTP API_TOKENS APP_SECRET APP_SECRET_OLD AUDIT_RETENTION_DAYS AUDIT_TO_LOG AUTH_METHODS
APPLE_AUTHORIZATION_URL APPLE_CLIENT_ID APPLE_ISSUERS APPLE_JWKS_URL APPLE_KEY_ID APPLE_NATIVE_CLIENT_IDS APPLE_PRIVATE_KEY
APPLE_TEAM_ID APPLE_TOKEN_URL BASE_PATH BASE_PATH_STRIPPED CONSOLE CORS_HEADERS CORS_ORIGINS DATABASE_POOL DATABASE_TLS
DATABASE_URL DATA_DIR DOCS DRAIN_DELAY_S EGRESS EGRESS_HOSTS FRESH_SIGN_IN GATEWAY_SECRET GATEWAY_USERS GOOGLE_AUTHORIZATION_URL GOOGLE_CLIENT_ID
GOOGLE_CLIENT_SECRET GOOGLE_DOMAINS GOOGLE_FRESH GOOGLE_ISSUERS GOOGLE_JWKS_URL GOOGLE_NATIVE_CLIENT_IDS GOOGLE_TOKEN_URL HOST JWT_AUDIENCE JWT_ISSUER
KEEP_ALIVE_S LOG_LEVEL MAGIC_LINK_TTL MAGIC_LINK_URL MAILS_PER_HOUR MAIL_FROM MAIL_TRANSPORT MAX_HEADER_KB MAX_REQUESTS
MAX_TOKEN_DAYS METRICS_PORT NODE_ENV OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_EMAIL_CLAIM OIDC_ISSUER OIDC_NATIVE_CLIENT_IDS
OIDC_ROLES OIDC_ROLE_CLAIM OIDC_TRUST_EMAIL OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS
OTEL_EXPORTER_OTLP_PROTOCOL OTEL_SERVICE_NAME OTEL_TRACES_SAMPLER_ARG OTP_TTL PASSWORD_URL PORT PUBLIC_URL PWNED_CHECK
RATE_LIMITS REDIRECT_ALLOW_LIST REDIS_URL REFRESH_ABSOLUTE REFRESH_IDLE SIGNUP SITE_NAME SITE_URL SLOW_QUERY_MS SMTP_URL
SOCKET_IDLE_S TOKEN_HEADER TRUSTED_ISSUERS TRUST_PROXY`
  .trim()
  .split(/\s+/);

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Beginnings of names that are meant for this service alone. */
const OWN = /^(?:APPLE|AUDIT|CORS|DATABASE|GATEWAY|JWT|MAGIC_LINK|MAIL|OIDC|OTP|PWNED|REFRESH|SMTP|TRUSTED)_/;
/** What Kubernetes sets for each of its services, whatever the service is called. */
const OF_KUBERNETES = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_.+)$/;
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

/** Settings of earlier releases. */
const FORMER_LIMIT = /^LIMIT_(AUTH|BAD_TOKENS|LOGIN|REFRESH|SEND|SEND_HOURLY|USERS|VERIFY)(?:_FILE)?$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What to write instead of limits as earlier releases had them. */
function formerLimits(env: Environment): string[] {
  const names = Object.keys(env).filter((name) => FORMER_LIMIT.test(name));
  if (names.length === 0) return [];
  const budgets = names.map((name) => {
    const [, budget = ''] = FORMER_LIMIT.exec(name) ?? [];
    return `${budget.toLowerCase()}=${name.endsWith('_FILE') ? '<number>' : (env[name] ?? '')}`;
  });
  return [`No setting any more, and without effect: ${names.join(', ')}. Set RATE_LIMITS=${budgets.join(',')}.`];
}

/**
 * One sentence for each variable that looks like a setting and is none: it begins like one, or differs from one by a letter
 * or two. Other variables belong to other programs.
 */
export function unknownSettings(env: Environment): string[] {
  const others = Object.entries(env).filter(([variable]) => !FORMER_LIMIT.test(variable));
  const unknown = others.flatMap(([variable, value = '']) => {
    const name = variable.replace(/_FILE$/, '');
    if (KNOWN.has(name) || OF_KUBERNETES.test(variable) || ADDRESS_OF_KUBERNETES.test(value)) return [];
    const meant = nearestName(name, SETTING_NAMES);
    if (meant !== null) return [`${variable} is no setting, and has no effect. Did you mean ${meant}?`];
    const [beginning] = OWN.exec(variable) ?? [];
    if (beginning === undefined) return [];
    const alike = SETTING_NAMES.filter((known) => known.startsWith(beginning));
    return [`${variable} is no setting, and has no effect. Settings that begin so: ${alike.join(', ')}.`];
  });
  return [...formerLimits(env), ...unknown];
}
