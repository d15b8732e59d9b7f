import { ValidationError, type Fault } from '../../../common/errors/domain-error.js';
import { hasControls, withoutControls } from '../../../common/schema/formats.js';
import { unsafeValues } from '../../../common/schema/unsafe-values.js';
import type { RecordBody, Status } from '../../../content-types/definition/content-type.js';
import type { TypeCopyResult } from '../../../content-types/changes/type-copies.js';
import { kindOf } from '../../../content-types/kinds/kinds.js';
import type { FieldValues, TermIds } from '../../../records/rows/record-row.js';
import type { RecordState } from '../../../records/writing/record-state.js';
import type { RecordLine } from '../lossless-format.js';

/** The state that a line describes, by the names and ids that things have here. */
export interface PreparedState {
  readonly state: RecordState;
  /** What is not taken of it. */
  readonly leftovers: readonly string[];
}

/** What the file calls otherwise. */
interface Names {
  readonly termIds: ReadonlyMap<number, number>;
  /** `null`: the value has no place here. */
  lostField(id: string, type: TypeCopyResult): Promise<string | null>;
}

/**
 * Checks a line by the rules of its type. A required field may lack its value, as it may in a record that is older
 * than the rule.
 *
 * @throws {ValidationError} with every fault
 */
export async function preparedState(line: RecordLine, taken: TypeCopyResult, names: Names): Promise<PreparedState> {
  const clean = withoutControlsIn(line, taken);
  const body = checked(clean.line, taken);
  const { kept, leftovers } = await lostValues(line, taken, names);
  const own = taken.type.fields.flatMap(({ id, name }) =>
    body[name] === undefined || body[name] === null ? [] : [[id, body[name]] as const],
  );
  const terms = termsHere(line, names.termIds);
  const state: RecordState = {
    title: body.title as string,
    slug: body.slug as string,
    locale: body.locale as string,
    status: line.status as Status,
    publishedAt: line.published_at === null ? null : Date.parse(line.published_at),
    body: (body.body ?? null) as string | null,
    values: { ...Object.fromEntries(own), ...kept },
    terms: terms.here,
  };
  return { state, leftovers: [...clean.leftovers, ...leftovers, ...terms.leftovers] };
}

/** One-line texts could have control characters in earlier releases. */
function withoutControlsIn(
  line: RecordLine,
  { type }: TypeCopyResult,
): { line: RecordLine; leftovers: readonly string[] } {
  const leftovers: string[] = [];
  const clean = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(name, item));
    if (typeof value !== 'string' || !hasControls(value)) return value;
    leftovers.push(`control characters in ${name}`);
    return withoutControls(value);
  };
  const values = Object.entries(line.values).map(([name, value]) => {
    const field = type.fieldsByName.get(name);
    return [name, field && kindOf(field.type).isOneLine(field) ? clean(name, value) : value] as const;
  });
  const title = clean('title', line.title) as string;
  return { line: { ...line, title, values: Object.fromEntries(values) }, leftovers: [...new Set(leftovers)] };
}

function checked(line: RecordLine, { type }: TypeCopyResult): RecordBody {
  const { title, slug, body, status, locale, values, lost = {}, terms } = line;
  const unknown = Object.keys(values).filter((name) => !type.fieldsByName.has(name));
  const faults = [
    ...unsafeValues({ title, slug, body, locale, ...values, ...lost }),
    ...unknown.map((name) => fault(name, 'unknown', `The type ${type.name} has no field "${name}".`)),
    ...Object.keys(terms)
      .filter((name) => !type.taxonomies.includes(name))
      .map((name) => fault(`terms.${name}`, 'unknown', `The type ${type.name} has no taxonomy "${name}".`)),
    ...(status === 'draft' && line.published_at !== null ? [neverPublished()] : []),
    ...(status === 'published' && line.published_at === null ? [whenPublished()] : []),
  ];
  if (faults.length > 0) throw new ValidationError(faults);
  return type.requireUpdate({ title, slug, body, status, locale, ...values });
}

function fault(field: string, rule: string, message: string): Fault {
  return { field, rule, message };
}

function neverPublished(): Fault {
  return fault('published_at', 'back_date', 'published_at can only be set on a published record.');
}

function whenPublished(): Fault {
  return fault('published_at', 'required', 'published_at is required of a published record.');
}

async function lostValues(
  { lost = {} }: RecordLine,
  taken: TypeCopyResult,
  names: Names,
): Promise<{ kept: FieldValues; leftovers: readonly string[] }> {
  const kept: Record<string, unknown> = {};
  const leftovers: string[] = [];
  for (const [id, value] of Object.entries(lost)) {
    const here = await names.lostField(id, taken);
    if (here === null) leftovers.push(`values of the removed field ${id}`);
    else kept[here] = value;
  }
  return { kept, leftovers };
}

function termsHere(
  { terms }: RecordLine,
  termIds: ReadonlyMap<number, number>,
): { here: TermIds; leftovers: readonly string[] } {
  const leftovers: string[] = [];
  const entries = Object.entries(terms).map(([taxonomy, ids]) => {
    if (ids.some((id) => !termIds.has(id))) leftovers.push(`terms of ${taxonomy} that the file does not have`);
    return [taxonomy, [...new Set(ids.flatMap((id) => termIds.get(id) ?? []))]] as const;
  });
  return { here: Object.fromEntries(entries.filter(([, ids]) => ids.length > 0)), leftovers };
}
