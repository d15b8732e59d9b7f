import { ValidationError } from '../../common/errors/domain-error.js';
import type { ObjectSchema } from '../../common/schema/json-schema.js';
import { faultsOf } from '../../common/schema/faults.js';
import { ObjectValidator } from '../../common/schema/object-validator.js';
import { STATUSES, type Status } from '../../content-types/definition/content-type.js';
import { MAX_TERMS } from '../../content-types/definition/record-schema.js';
import type { WantedTerms } from '../../records/writing/record-terms.js';

/** The actions on many records. */
const BULK_ACTIONS = [
  ...(['publish', 'unpublish', 'archive', 'status', 'apply', 'discard'] as const),
  ...(['trash', 'restore', 'delete', 'add_terms', 'remove_terms'] as const),
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Records of one request. */
const MOST_ITEMS = 100;

/** A record of an order. */
export interface BulkItem {
  readonly id: number;
  /** The version that the client has read. */
  readonly version?: number;
}

/** Body of `POST /api/cms/{type}/-/bulk`. */
export interface BulkOrder {
  readonly action: BulkAction;
  readonly items: readonly BulkItem[];
  /** The status that `status` sets. */
  readonly status?: Status;
  /** The terms of `add_terms` and `remove_terms`. */
  readonly terms?: WantedTerms;
}

/** JSON Schema of a {@link BulkOrder}. */
export const BULK_ORDER = {
  type: 'object',
  required: ['action', 'items'],
  additionalProperties: false,
  properties: {
    action: { type: 'string', enum: BULK_ACTIONS },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_ITEMS,
      items: {
        type: 'object',
        required: ['id'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer', minimum: 1 },
          version: {
            type: 'integer',
            minimum: 1,
            description: 'The version that was read: if the record has another one by now, it stays as it is.',
          },
        },
      },
    },
    status: { type: 'string', enum: STATUSES, description: 'Of `status`: the one that the records get.' },
    terms: {
      type: 'object',
      description: 'Of `add_terms` and `remove_terms`: terms by taxonomy, each by id or slug.',
      minProperties: 1,
      additionalProperties: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_TERMS,
        items: { type: ['integer', 'string'], minimum: 1, minLength: 1, maxLength: 255 },
      },
    },
  },
} satisfies ObjectSchema;

const validator = new ObjectValidator(BULK_ORDER);
const NOTHING_READ_ONLY: ReadonlySet<string> = new Set();

/** @throws {ValidationError} the body is no order */
export function requireOrder(body: unknown): BulkOrder {
  const faults = faultsOf(validator.check(body), NOTHING_READ_ONLY);
  if (faults.length > 0) throw new ValidationError(faults);
  const order = body as BulkOrder;
  requireOwn(order, 'terms', ['add_terms', 'remove_terms']);
  requireOwn(order, 'status', ['status']);
  const ids = new Set<number>();
  for (const [at, { id }] of order.items.entries()) {
    if (ids.has(id)) {
      throw new ValidationError([{ field: `items.${at}.id`, rule: 'unique', message: `${id} is there twice.` }]);
    }
    ids.add(id);
  }
  return order;
}

/** Members that only some actions need, and no other one takes. */
function requireOwn(order: BulkOrder, field: 'terms' | 'status', actions: readonly BulkAction[]): void {
  const isNeeded = actions.includes(order.action);
  if (isNeeded === (order[field] !== undefined)) return;
  throw new ValidationError([
    isNeeded
      ? { field, rule: 'required', message: `${order.action} needs ${field}.` }
      : { field, rule: 'unknown', message: `${order.action} takes no ${field}.` },
  ]);
}
