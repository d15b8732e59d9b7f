import { Injectable } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';

/** What one feature adds to the description of the API. */
export interface OpenApiFragment {
  readonly tags?: readonly OpenAPIV3_1.TagObject[];
  readonly paths: OpenAPIV3_1.PathsObject;
  readonly schemas?: Readonly<Record<string, OpenAPIV3_1.SchemaObject>>;
}

/** Makes a fragment anew for every reading, since content types change while the service runs. */
export type DescribeApi = () => OpenApiFragment | Promise<OpenApiFragment>;

/** Port for features to describe their own routes. Each adds itself at start, so the description knows no feature. */
@Injectable()
export class OpenApiRegistry {
  private readonly features: DescribeApi[] = [];

  add(describe: DescribeApi): void {
    this.features.push(describe);
  }

  fragments(): Promise<OpenApiFragment[]> {
    return Promise.all(this.features.map(async (describe) => describe()));
  }
}
