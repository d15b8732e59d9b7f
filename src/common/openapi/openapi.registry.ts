import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { TypeNames } from './type-names.js';

/** The operations of one path. (`PathItemObject` of `openapi-types` wants schemas of OpenAPI 3.0 in them.) */
export type PathItem = Partial<Record<Method, OpenAPIV3_1.OperationObject>> & {
  readonly parameters?: (OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ParameterObject)[];
};

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export type Paths = Readonly<Record<string, PathItem | undefined>>;

export type Schemas = Readonly<Record<string, OpenAPIV3_1.SchemaObject>>;

export interface OpenApiFragment {
  readonly tags?: readonly OpenAPIV3_1.TagObject[];
  readonly paths: Paths;
  readonly schemas?: Schemas;
  readonly parameters?: Readonly<Record<string, OpenAPIV3_1.ParameterObject>>;
}

export function withOperations(
  item: PathItem,
  each: (operation: OpenAPIV3_1.OperationObject, method: Method) => OpenAPIV3_1.OperationObject,
): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [[method, each(operation, method)] as const] : [];
  });
  return { ...item, ...Object.fromEntries(operations) };
}

export function withPaths(
  fragment: OpenApiFragment,
  each: (item: PathItem, path: string) => PathItem,
): OpenApiFragment {
  const paths = Object.entries(fragment.paths).map(([path, item]) => [path, item && each(item, path)] as const);
  return { ...fragment, paths: Object.fromEntries(paths) };
}

/** Loads what does not change of a description; it is read when the document is. */
export type DescribeApi = () => Promise<OpenApiFragment>;

/** The part that one feature adds for a content type. */
export interface TypeFragment extends OpenApiFragment {
  /** Schemas that grow with the fields of the type. They stand before `schemas`; each is made when it is asked for. */
  readonly longSchemas?: Iterable<Schemas>;
}

export type DescribeApiOfType = (type: string) => TypeFragment;

/** Prepares to describe each content type, anew whenever one has changed, under the names that the types have. */
export type DescribeApiOfTypes = (names: ReadonlyMap<string, TypeNames>) => Promise<DescribeApiOfType>;

/** Port for features to describe what they have for content types. Other routes are described by `@Endpoint`. */
@Injectable()
export class OpenApiRegistry {
  private readonly features: DescribeApi[] = [];
  private readonly featuresOfTypes: DescribeApiOfTypes[] = [];

  add(describe: DescribeApi): void {
    this.features.push(describe);
  }

  addOfTypes(describe: DescribeApiOfTypes): void {
    this.featuresOfTypes.push(describe);
  }

  fixed(): Promise<OpenApiFragment[]> {
    return Promise.all(this.features.map((describe) => describe()));
  }

  /** Fragments for a content type as of now; the features closest to its records come first. */
  async ofTypes(names: ReadonlyMap<string, TypeNames>): Promise<(type: string) => TypeFragment[]> {
    const features = await Promise.all(this.featuresOfTypes.map((prepare) => prepare(names)));
    return (type) => features.map((describe) => describe(type)).toSorted(byFirstPath);
  }
}

/** `/api/cms/post` before `/api/cms/post/-/export` before `/api/cms/post/{id}/revisions`. */
function byFirstPath(a: OpenApiFragment, b: OpenApiFragment): number {
  const [first = ''] = Object.keys(a.paths);
  const [second = ''] = Object.keys(b.paths);
  return Number(first > second) - Number(first < second);
}
