import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Response } from 'supertest';
import { METHODS, type PathItem, type Paths } from '../../src/common/openapi/openapi.registry.js';

type Operation = OpenAPIV3_1.OperationObject;
type Answered = OpenAPIV3_1.ResponseObject;

/** A whole OpenAPI document. */
export type ApiDocument = Omit<OpenAPIV3_1.Document, 'paths'> & { readonly paths: Paths };

const ROOT = 'openapi.json';
/** Headers that only some answers have: changes of some users, and requests that were carried out before. */
const SOMETIMES = ['Service-Tokens', 'Idempotent-Replayed'];
/** Headers that the document has to name where an answer carries them. */
const DESCRIBED_HEADERS = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', ...SOMETIMES];
/** Failures of any path, which the document sums up as `4XX`. */
const SUMMED_UP = new Set([400, 405, 413, 414, 415, 404]);

const isUri = fullFormats.uri as (text: string) => boolean;

/** Whether the address of an IRI is a URI (RFC 3987, section 3.1). */
function isIri(text: string): boolean {
  return isUri(text.replace(/[^\x00-\x7f]+/gu, encodeURIComponent));
}

/** Holds real answers against an OpenAPI document, and remembers which of its answers were seen. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly seen = new Set<string>();

  constructor(readonly document: ApiDocument) {
    // A CommonJS package: its function is the default export of the default export.
    (formats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addFormat('iri', isIri);
    this.ajv.addSchema(document, ROOT);
  }

  /** `GET /api/cms/post/{id}`, for each operation. */
  operations(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item?.[method]).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Answers that the document promises and that never came, `GET /api/cms/post/{id} 304`. */
  unseen(): string[] {
    return this.operations().flatMap((name) => {
      const statuses = Object.keys(this.operationOf(name).responses ?? {}).filter((status) => /^\d+$/.test(status));
      return statuses.map((status) => `${name} ${status}`).filter((one) => !this.seen.has(one));
    });
  }

  /** Answers in JSON that have no schema of their own, which generators would have to name. */
  unnamedAnswers(): string[] {
    return this.operations().flatMap((name) =>
      Object.entries(this.operationOf(name).responses ?? {}).flatMap(([status, response]) => {
        const schema = this.resolved(response)?.content?.['application/json']?.schema;
        const isUnnamed = schema && !('$ref' in schema) && !('anyOf' in schema);
        return isUnnamed ? [`${name} ${status}`] : [];
      }),
    );
  }

  /** What the document does not say about a real answer. Nothing, if all is well. */
  faults(method: string, url: string, answer: Response): string[] {
    const path = this.pathOf(url.replace(/\?.*$/, ''));
    if (path === null) return [`${url} is no path of the document`];
    const name = `${method} ${path}`;
    const response = this.responseOf(name, answer.status);
    if (response === null) return [`${name} answered ${answer.status}, which is not in the document`];
    this.seen.add(`${name} ${answer.status}`);
    const isPartial = /[?&]fields=/.test(url);
    return [...this.bodyFaults(response, answer, isPartial), ...headerFaults(response, answer)].map(
      (fault) => `${name} ${answer.status}: ${fault}`,
    );
  }

  private pathOf(url: string): string | null {
    const segments = url.split('/');
    const fits = (path: string): boolean => {
      const parts = path.split('/');
      return parts.length === segments.length && parts.every((part, i) => formOf(part).test(segments[i] ?? ''));
    };
    const literals = (path: string): number => path.split('/').filter((part) => !part.startsWith('{')).length;
    return (
      Object.keys(this.document.paths)
        .filter(fits)
        .toSorted((a, b) => literals(b) - literals(a))[0] ?? null
    );
  }

  private operationOf(name: string): Operation {
    const [method = '', path = ''] = name.split(' ');
    const item = this.document.paths[path];
    return item?.[method.toLowerCase() as Exclude<keyof PathItem, 'parameters'>] ?? {};
  }

  private responseOf(name: string, status: number): Answered | null {
    const { responses = {} } = this.operationOf(name);
    const said = responses[String(status)] ?? (SUMMED_UP.has(status) ? responses['4XX'] : undefined);
    return said === undefined ? null : this.resolved(said);
  }

  private resolved(response: OpenAPIV3_1.ReferenceObject | Answered): Answered | null {
    if (!('$ref' in response)) return response;
    const shared = this.document.components?.responses as Readonly<Record<string, Answered>> | undefined;
    return shared?.[response.$ref.split('/').at(-1) ?? ''] ?? null;
  }

  /** @param isPartial whether records lack what was not asked for, as the parameter `fields` says in words */
  private bodyFaults({ content }: Answered, { headers, body, text }: Response, isPartial: boolean): string[] {
    if (!content) return text ? ['has a body'] : [];
    const type = String(headers['content-type']).replace(/;.*$/, '');
    const schema = content[type]?.schema;
    if (!schema) return [`${type} is not a type of the document`];
    const validate = this.validatorOf(schema);
    if (validate(type === 'application/json' ? body : text)) return [];
    const faults = (validate.errors ?? []).filter((error) => !(isPartial && isMissingPart(error)));
    return faults.map(
      ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  private validatorOf(schema: object): ValidateFunction {
    // References of the document are relative to it, and here the schema stands outside of it.
    const absolute = JSON.stringify(schema).replaceAll('"#/', `"${ROOT}#/`);
    const known = this.validators.get(absolute) ?? this.ajv.compile(JSON.parse(absolute) as object);
    this.validators.set(absolute, known);
    return known;
  }
}

/** Whether a record itself lacks a key, not something inside of it. */
function isMissingPart({ keyword, instancePath }: ErrorObject): boolean {
  return keyword === 'required' && /^\/data(?:\/\d+)?$/.test(instancePath);
}

/** `sitemap-{part}.xml` -> `/^sitemap-.+\.xml$/` */
function formOf(part: string): RegExp {
  const literals = part.split(/\{\w+\}/).map((text) => text.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${literals.join('.+')}$`);
}

function headerFaults({ headers: described = {} }: Answered, { headers }: Response): string[] {
  const missing = Object.keys(described).filter(
    (name) => !SOMETIMES.includes(name) && headers[name.toLowerCase()] === undefined,
  );
  const undescribed = DESCRIBED_HEADERS.filter(
    (name) => headers[name.toLowerCase()] !== undefined && !(name in described),
  );
  return [...missing.map((name) => `lacks the header ${name}`), ...undescribed.map((name) => `has the header ${name}`)];
}
