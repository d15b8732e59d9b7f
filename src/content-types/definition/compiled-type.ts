import { isJsonObject } from '../../common/schema/json-object.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { faultsOf, MAX_FAULTS } from '../../common/schema/faults.js';
import { canonicalInstant } from '../../common/schema/formats.js';
import { ObjectValidator } from '../../common/schema/object-validator.js';
import { isSameJson } from '../../common/schema/same-json.js';
import { canonicalLocale } from '../../common/text/locale.js';
import { composed } from '../../common/text/slug.js';
import type { Field } from '../kinds/field.js';
import { kindOf } from '../kinds/kinds.js';
import { sharesAddresses } from './addresses.js';
import type { CompiledType, Purpose, RecordBefore, RecordBody, TypeDefinition } from './content-type.js';
import { READ_ONLY_KEYS, canonical, normalise } from './field-definition.js';
import { MAX_TERMS, recordInputSchema } from './record-schema.js';

type Body = Record<string, unknown>;

/** Far more than the faults that are shown: the others may be all that counts. */
const MANY_FAULTS = 1_000;
const NOT_AN_OBJECT: Fault = { field: '', rule: 'type', message: 'The body must be a JSON object.' };
const NEW: RecordBefore = { status: 'draft' };
const DEFAULTS: RecordBody = { status: 'draft', locale: 'en' };

/** A type with validators for the bodies of its records, each compiled when it is first needed. */
export function compileType(definition: TypeDefinition): CompiledType {
  const fieldsByName = new Map(definition.fields.map((field) => [field.name, field]));
  const mostItems = definition.fields.flatMap(({ name, ...field }) => {
    const most = kindOf(field.type).maxItems(field);
    return most === undefined ? [] : [[name, most] as const];
  });
  const validators = new Map<Purpose, ObjectValidator>();
  const validatorFor = (purpose: Purpose): ObjectValidator => {
    const validator = validators.get(purpose) ?? new ObjectValidator(recordInputSchema(definition, purpose));
    validators.set(purpose, validator);
    return validator;
  };
  const isMissing = ({ field, rule }: Fault): boolean => rule === 'required' && fieldsByName.has(field);
  const check = (sent: unknown, purpose: Purpose, before: RecordBefore): Body => {
    if (!isJsonObject(sent)) throw new ValidationError([NOT_AN_OBJECT]);
    const body = withCanonicalForms(withoutSurplus(sent, mostItems), fieldsByName);
    const errors = validatorFor(purpose).check(body);
    if (errors.length === 0) return normalised(body, fieldsByName);
    const isPublic = (body.status ?? before.status) === 'published';
    const faults = faultsOf(errors, READ_ONLY_KEYS, MANY_FAULTS).filter((fault) => isPublic || !isMissing(fault));
    const own = faults.length > 0 && before.values ? ofChanges(faults, sent, before.values()) : faults;
    if (own.length > 0) throw new ValidationError(own.slice(0, MAX_FAULTS));
    // A list that is kept as it was may have more items than it may have by now.
    return normalised(faults.length > 0 ? withCanonicalForms(sent, fieldsByName) : body, fieldsByName);
  };
  return {
    ...definition,
    fieldsByName,
    sharesAddresses: sharesAddresses(definition),
    prepare: async (sent, purpose) => {
      if (isJsonObject(sent)) await validatorFor(purpose).prepare(withoutSurplus(sent, mostItems));
    },
    requireCreate: (body) => completed(check(body, 'create', NEW), definition.fields),
    requireUpdate: (body, before) => check(body, 'update', before),
    requireDraft: (body) => check(body, 'draft', NEW),
  };
}

/** The faults of values that are not those that the record has. */
function ofChanges(faults: readonly Fault[], body: Body, kept: RecordBody): readonly Fault[] {
  return faults.filter(({ field }) => {
    const [name = ''] = field.split('.');
    return !Object.hasOwn(kept, name) || !isSameJson(body[name], kept[name]);
  });
}

/** The form in which slugs, locales and addresses are kept is the one that is checked. */
function withCanonicalForms(body: Body, fieldsByName: ReadonlyMap<string, Field>): Body {
  const { slug, locale } = body;
  const forms: Body = { ...body };
  for (const [name, field] of fieldsByName) if (Object.hasOwn(body, name)) forms[name] = canonical(field, body[name]);
  if (typeof slug === 'string') forms.slug = composed(slug);
  if (typeof locale === 'string') forms.locale = canonicalLocale(locale);
  return forms;
}

/** One item too many says as much as a hundred thousand, and each would be a fault of its own. */
function withoutSurplus(body: Body, mostItems: readonly (readonly [name: string, most: number])[]): Body {
  const cut: Body = { ...body };
  for (const [name, most] of mostItems) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (Array.isArray(value)) cut[name] = value.slice(0, most + 1);
  }
  if (isJsonObject(body.terms)) cut.terms = mapped(body.terms, withoutSurplusTerms);
  return cut;
}

function withoutSurplusTerms(terms: unknown): unknown {
  return Array.isArray(terms) ? terms.slice(0, MAX_TERMS + 1) : terms;
}

function mapped(object: Body, change: (value: unknown) => unknown): Body {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function normalised(body: Body, fieldsByName: ReadonlyMap<string, Field>): Body {
  const { title, published_at: publishedAt } = body;
  const forms: Body = { ...body };
  for (const [name, field] of fieldsByName) if (Object.hasOwn(body, name)) forms[name] = normalise(field, body[name]);
  if (typeof title === 'string') forms.title = title.trim();
  if (typeof publishedAt === 'string') forms.published_at = canonicalInstant(publishedAt);
  return forms;
}

/** A new record with its defaults. What is null was left out on purpose and gets none. */
function completed(body: Body, fields: readonly Field[]): RecordBody {
  const whole: Body = { ...DEFAULTS };
  for (const { name, default: value } of fields) whole[name] = value;
  Object.assign(whole, body);
  const given: Body = {};
  for (const [name, value] of Object.entries(whole)) if (value !== null && value !== undefined) given[name] = value;
  return given;
}
