import type { OpenAPIV3_1 } from 'openapi-types';
import { failures, query } from '../../common/openapi/describe.js';
import type { DescribeApiOfType, OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import type { TypeNames } from '../../common/openapi/type-names.js';
import { recordParameter } from '../../records/openapi/parameters.js';
import { recordsTag } from '../../records/records.openapi.js';

/** Parts that the descriptions of all types refer to. */
export const EXPORT_API: OpenApiFragment = {
  paths: {},
  parameters: {
    ExportFormat: query('format', 'NDJSON has a header line, the type, and a line for each record.', {
      type: 'string',
      enum: ['ndjson', 'csv'],
      default: 'ndjson',
    }),
    ExportGuard: query(
      'guard',
      'With `format=csv`: whether a text that a spreadsheet would run (`=`, `+`, `-`, `@`, tab or line end at ' +
        'its start) has an apostrophe before it. `false` for programs that read the texts as they are; open no such table in a spreadsheet.',
      { type: 'boolean', default: true },
    ),
  },
};

/** A type, to be taken away as a whole. */
export function describeExport(all: ReadonlyMap<string, TypeNames>): DescribeApiOfType {
  return (type) => {
    const names = all.get(type);
    return { paths: names ? { [`/api/cms/${type}/-/export`]: { get: exportOf(type, names) } } : {} };
  };
}

function exportOf(type: string, { operations }: TypeNames): OpenAPIV3_1.OperationObject {
  return {
    tags: [recordsTag({ name: type })],
    operationId: operations.export,
    summary: 'Export all records',
    description:
      'All records that the caller may see, in the order of their ids, as one stream. Needs `records:read` or ' +
      `\`records:read:${type}\`. An answer that breaks off is not complete.`,
    parameters: [
      { $ref: '#/components/parameters/ExportFormat' },
      { $ref: '#/components/parameters/ExportGuard' },
      recordParameter('Status'),
    ],
    responses: {
      200: {
        description: 'The records.',
        content: {
          'application/x-ndjson': { schema: { type: 'string' } },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      ...failures('invalid_query', 'insufficient_scope'),
    },
  };
}
