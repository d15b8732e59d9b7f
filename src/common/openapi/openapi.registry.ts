import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';

/** The operations of one path. (`PathItemObject` of `openapi-types` wants schemas of OpenAPI 3.0 in them.) */
export type PathItem = Partial<Record<Method, OpenAPIV3_1.OperationObject>> & {
  readonly parameters?: (OpenAPIV3_1.ReferenceObject | OpenAPIV3_1.ParameterObject)[];
};

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

export type Paths = Readonly<Record<string, PathItem | undefined>>;

/** What one feature adds to the description of the API. */
export interface OpenApiFragment {
  readonly tags?: readonly OpenAPIV3_1.TagObject[];
  readonly paths: Paths;
  readonly schemas?: Readonly<Record<string, OpenAPIV3_1.SchemaObject>>;
}

/** Loads what does not change of a description; nobody reads it at start. */
export type DescribeApi = () => Promise<OpenApiFragment>;

/** Makes a fragment anew for every reading, with schemas and operations named after data: it learns which names are taken. */
export type DescribeApiOfData = (taken: ReadonlySet<string>) => Promise<OpenApiFragment>;

/** Port for features to describe their own routes. Each adds itself at start, so the description knows no feature. */
@Injectable()
export class OpenApiRegistry {
  private readonly features: DescribeApi[] = [];
  private readonly featuresOfData: DescribeApiOfData[] = [];

  add(describe: DescribeApi): void {
    this.features.push(describe);
  }

  addNamedAfterData(describe: DescribeApiOfData): void {
    this.featuresOfData.push(describe);
  }

  /** All fragments as of now. Those about data are what most readers look for, so they stand first. */
  async fragments(): Promise<OpenApiFragment[]> {
    let fragments = await Promise.all(this.features.map((describe) => describe()));
    for (const describe of this.featuresOfData) {
      fragments = [await describe(new Set(fragments.flatMap(namesOf))), ...fragments];
    }
    return fragments;
  }
}

function namesOf({ schemas = {}, paths }: OpenApiFragment): string[] {
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item?.[method] ?? []));
  return [...Object.keys(schemas), ...operations.flatMap(({ operationId }) => operationId ?? [])];
}
