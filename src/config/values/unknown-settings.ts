import { nearestName } from '../../common/text/nearest-word.js';

/** The name of every setting. Each can be given as a file too, with `_FILE` behind it. */
export const SETTING_NAMES = `
ADMIN_EMAIL ALLOW_HTTP API_TOKENS APPLE_AUTHORIZATION_URL APPLE_CLIENT_ID APPLE_ISSUERS APPLE_JWKS_URL APPLE_KEY_ID
APPLE_NATIVE_CLIENT_IDS APPLE_PRIVATE_KEY APPLE_TEAM_ID APPLE_TOKEN_URL APP_SECRET APP_SECRET_OLD AUDIT_RETENTION_DAYS
AUDIT_TO_LOG AUTH_METHODS BASE_PATH BASE_PATH_STRIPPED CORS_ORIGINS DATABASE_POOL DATABASE_URL DATA_DIR DOCS
DRAIN_DELAY_S GATEWAY_SECRET GATEWAY_USERS GOOGLE_AUTHORIZATION_URL GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET
GOOGLE_DOMAINS GOOGLE_ISSUERS GOOGLE_JWKS_URL GOOGLE_NATIVE_CLIENT_IDS GOOGLE_TOKEN_URL HOST JWT_AUDIENCE JWT_ISSUER
KEEP_ALIVE_S LOG_LEVEL MAGIC_LINK_TTL MAGIC_LINK_URL MAIL_FROM MAIL_TRANSPORT MAX_REQUESTS METRICS_PORT NODE_ENV
OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_ISSUER OIDC_NATIVE_CLIENT_IDS OIDC_TRUST_EMAIL OIDC_USERS
OTEL_EXPORTER_OTLP_ENDPOINT OTP_TTL PORT PUBLIC_URL PWNED_CHECK RATE_LIMITS REDIRECT_ALLOW_LIST REDIS_URL
REFRESH_ABSOLUTE REFRESH_IDLE SIGNUP SITE_URL SLOW_QUERY_MS SMTP_URL TOKEN_HEADER TRUSTED_ISSUERS TRUST_PROXY`
  .trim()
  .split(/\s+/);

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Beginnings of names that are meant for this service alone. */
const OWN = /^(?:APPLE|AUDIT|CORS|DATABASE|GATEWAY|JWT|MAGIC_LINK|MAIL|OIDC|OTP|PWNED|REFRESH|SMTP|TRUSTED)_/;
const OF_OPENTELEMETRY = 'OTEL_';
/** Variables that Kubernetes sets for each of its services, whatever the service is called. */
const OF_KUBERNETES = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_.+)$/;
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

type Environment = Readonly<Record<string, string | undefined>>;

/** A sentence for each variable that looks like a setting and is none: it begins like one, or nearly is one. */
export function unknownSettings(env: Environment): string[] {
  const others = Object.entries(env).filter(([name, value = '']) => !isKnown(name, value));
  return others.flatMap(([variable]) => sentenceFor(variable) ?? []);
}

/** True for a setting, and for a variable that another program sets. */
function isKnown(variable: string, value: string): boolean {
  if (KNOWN.has(nameOf(variable)) || variable.startsWith(OF_OPENTELEMETRY)) return true;
  return OF_KUBERNETES.test(variable) || ADDRESS_OF_KUBERNETES.test(value);
}

function nameOf(variable: string): string {
  return variable.replace(/_FILE$/, '');
}

/** `null`: the variable does not look like a setting. */
function sentenceFor(variable: string): string | null {
  const name = nameOf(variable);
  const meant = nearestName(name, SETTING_NAMES);
  if (meant !== null) return `${variable} is no setting, and has no effect. Did you mean ${meant}?`;
  const [beginning] = OWN.exec(variable) ?? [];
  if (beginning === undefined) return null;
  const alike = SETTING_NAMES.filter((known) => known.startsWith(beginning));
  return `${variable} is no setting, and has no effect. Settings that begin so: ${alike.join(', ')}.`;
}
