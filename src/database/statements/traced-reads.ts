import type { Span } from '@opentelemetry/api';
import type { DataSource } from 'typeorm';
import { currentSpan } from '../../common/tracing/request-scope.js';
import { clientSpan, noteFailure } from '../../common/tracing/traced.js';
import type { Dialect } from '../dialect/dialect.js';

/** `SELECT … FROM posts`. Names of tables are a closed set; what is quoted otherwise is passed over. */
const OPERATION = /^\s*(\w+)/;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+[`"]?([a-z_]\w*)/i;

/** Records the statements of a data source that belong to a trace: what they do, to which table, never their values. */
export function traceReads(source: DataSource, dialect: Dialect): void {
  const spans = new WeakMap<object, Span>();
  source.subscribers.push({
    beforeQuery: ({ query, parameters }) => {
      const span = readSpan(dialect, query);
      if (span && isObject(parameters)) spans.set(parameters, span);
    },
    afterQuery: ({ parameters, success, error }) => {
      const span = isObject(parameters) ? spans.get(parameters) : undefined;
      if (span && !success) noteFailure(span, error);
      span?.end();
    },
  });
}

export function readSpan({ system }: Dialect, sql: string): Span | undefined {
  const above = currentSpan();
  if (!above) return undefined;
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = TABLE.exec(sql)?.[1];
  const attributes = { 'db.system.name': system, 'db.operation.name': operation };
  if (table === undefined) return clientSpan(above, operation, attributes);
  return clientSpan(above, `${operation} ${table}`, { ...attributes, 'db.collection.name': table });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
