import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import {
  withOperations,
  withPaths,
  type Method,
  type OpenApiFragment,
  type PathItem,
} from '../common/openapi/openapi.registry.js';
import { Settings } from '../config/settings.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { RecordReader } from '../records/reading/record-reader.js';

type Parameter = OpenAPIV3_1.ParameterObject;
export type SharedParameters = Readonly<Record<string, Parameter>>;
type Described = Parameter | OpenAPIV3_1.ReferenceObject;
type Examples = Readonly<Record<string, string | number>>;

const SESSION = '0d9f5c1e-6d52-4f5b-9c1b-7f3f1f6f6a10';
const SECRET = 'the-secret-of-a-mailed-link';

/** Examples for the routes that every service has, as the demo knows them; the first row that fits counts. */
const FIXED: readonly (readonly [path: string, examples: Examples, method?: Method])[] = [
  ['/api/cms/taxonomy/{taxonomy}/{id}', { id: 1 }],
  ['/api/cms/{type}/-/bulk', { type: 'post' }],
  ['/api/admin/tokens/{id}', { id: 1 }, 'get'],
  // The first one is the token of the demo itself.
  ['/api/admin/tokens/{id}', { id: 2 }],
  ['/api/auth/tokens/{id}', { id: 2 }],
  ['/api/users/{id}', { id: 1, token: 2, session: SESSION, identity: 1 }],
  ['/api/auth/identities/{id}', { id: 1 }],
  ['/api/auth/sessions/{id}', { id: SESSION }],
  ['/api/auth/check/{rest}', { rest: 'api/cms/post' }],
  ['/api/auth/invitations/accept', { token: SECRET }],
  ['/api/auth/magic-link/verify', { token: SECRET }],
  ['/api/auth/password/reset', { token: SECRET }],
  ['/api/auth/lock-down', { token: SECRET }],
  ['/sitemap-{part}.xml', { part: 1 }],
];

/** Examples of parameters, in a demo and in development: the page of the API sends them as they stand. */
@Injectable()
export class ParameterExamples {
  private readonly isOn: boolean;

  constructor(
    { mode }: Settings,
    private readonly records: RecordReader,
  ) {
    this.isOn = mode === 'demo' || mode === 'development';
  }

  async ofType(type: CompiledType, shared: SharedParameters): Promise<(fragment: OpenApiFragment) => OpenApiFragment> {
    const record = this.isOn ? await this.sample(type) : null;
    if (record === null) return (fragment) => fragment;
    const { id, version, updated_at: updatedAt } = record;
    const examples = { id, ts: updatedAt };
    return (fragment) =>
      withExamples(fragment, shared, (path, method) => {
        // Working copies are saved with the `ETag` of what was read.
        const isSave = path.endsWith('/draft') && (method === 'put' || method === 'patch');
        return isSave ? { ...examples, 'If-Match': `"${version}"` } : examples;
      });
  }

  fixed(fragment: OpenApiFragment, shared: SharedParameters): OpenApiFragment {
    if (!this.isOn) return fragment;
    return withExamples(fragment, shared, (path, method) => {
      const row = FIXED.find(([start, , only]) => path.startsWith(start) && (only ?? method) === method);
      return row?.[1] ?? {};
    });
  }

  private async sample(type: CompiledType) {
    for await (const [record] of this.records.inOrder(type, ['published'])) if (record) return record;
    return null;
  }
}

function withExamples(
  fragment: OpenApiFragment,
  shared: SharedParameters,
  examplesOf: (path: string, method: Method) => Examples,
): OpenApiFragment {
  return withPaths(fragment, (item, path) => exemplified(item, shared, (method) => examplesOf(path, method)));
}

function exemplified(item: PathItem, shared: SharedParameters, examplesOf: (method: Method) => Examples): PathItem {
  return withOperations(item, (operation, method) => {
    const examples = examplesOf(method);
    const exemplify = (one: Described): Described => withExample(one, shared, examples);
    // Parameters of the path are said again: what one method may ask for, another one would delete.
    const ofPath = (item.parameters ?? []).filter((one) => exemplify(one) !== one);
    return { ...operation, parameters: [...ofPath, ...(operation.parameters ?? [])].map(exemplify) };
  });
}

function withExample(given: Described, shared: SharedParameters, examples: Examples): Described {
  const parameter = '$ref' in given ? shared[given.$ref.replace('#/components/parameters/', '')] : given;
  if (parameter === undefined) return given;
  const example = examples[parameter.name];
  return example === undefined ? given : { ...parameter, example };
}
