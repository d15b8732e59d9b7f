import { nearestName } from '../../common/text/nearest-word.js';

/** Beginnings of names that are meant for this service alone. */
const OWN = /^(?:APPLE|AUDIT|CORS|DATABASE|GATEWAY|JWT|MAGIC_LINK|MAIL|OIDC|OTP|PWNED|REFRESH|SMTP|TRUSTED)_/;
const OF_OPENTELEMETRY = 'OTEL_';
/** Variables that Kubernetes sets for each of its services, whatever the service is called. */
const OF_KUBERNETES = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_.+)$/;
const ADDRESS_OF_KUBERNETES = /^(?:tcp|udp|sctp):\/\//;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A sentence for each variable that looks like a setting and is none: it begins like one, or nearly is one.
 *
 * @param names of all settings
 */
export function unknownSettings(env: Environment, names: ReadonlySet<string>): string[] {
  const others = Object.entries(env).filter(
    ([name, value = '']) => !names.has(nameOf(name)) && !isForeign(name, value),
  );
  return others.flatMap(([variable]) => sentenceFor(variable, [...names].toSorted()) ?? []);
}

/** True for a variable that another program sets. */
function isForeign(variable: string, value: string): boolean {
  return variable.startsWith(OF_OPENTELEMETRY) || OF_KUBERNETES.test(variable) || ADDRESS_OF_KUBERNETES.test(value);
}

function nameOf(variable: string): string {
  return variable.replace(/_FILE$/, '');
}

/** `null`: the variable does not look like a setting. */
function sentenceFor(variable: string, names: readonly string[]): string | null {
  const meant = nearestName(nameOf(variable), names);
  if (meant !== null) return `${variable} is no setting, and has no effect. Did you mean ${meant}?`;
  const [beginning] = OWN.exec(variable) ?? [];
  if (beginning === undefined) return null;
  const alike = names.filter((known) => known.startsWith(beginning));
  return `${variable} is no setting, and has no effect. Settings that begin so: ${alike.join(', ')}.`;
}
