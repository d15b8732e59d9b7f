import { analyzersOf, type Analyzer, type AnalyzedText } from './analysis.js';
import { membersOf, refuse, Refusal, type Json } from './refusal.js';
import { similaritiesOf, type Similarity } from './similarity.js';

/** A document as it can be found. */
export interface IndexedDocument {
  readonly id: string;
  readonly texts: ReadonlyMap<string, AnalyzedText>;
  readonly values: ReadonlyMap<string, number | string>;
}

export interface TextField {
  readonly kind: 'text';
  readonly analyze: Analyzer;
  readonly search: Analyzer;
  readonly score: Similarity;
  /** The member of a document whose text it has. */
  readonly of: string;
}

export type Field = TextField | { readonly kind: 'long' | 'keyword' | 'object' };

const INDEX_SETTINGS = [
  ...['number_of_shards', 'number_of_replicas', 'auto_expand_replicas', 'refresh_interval', 'gc_deletes'],
  ...['max_result_window', 'similarity', 'analysis'],
];
const TEXT = ['type', 'analyzer', 'search_analyzer', 'similarity', 'fields', 'index_options', 'norms', 'store'];
const MOST_RESULTS = 10_000;

/** What an index was made with. */
export class Mapping {
  readonly fields: ReadonlyMap<string, Field>;
  readonly mostResults: number;
  /** Milliseconds; `null`: only when it is asked for. */
  readonly refreshMs: number | null;
  private readonly excluded: ReadonlySet<string>;

  constructor(readonly body: Json) {
    const { settings = {}, mappings = {} } = membersOf(body, ['settings', 'mappings', 'aliases'], 'create index');
    const { index = {} } = membersOf(settings, ['index'], 'settings');
    const set = membersOf(index, INDEX_SETTINGS, 'index');
    const { properties, _source: source } = strict(mappings);
    const { excludes = [] } = membersOf(source ?? {}, ['enabled', 'includes', 'excludes'], '_source');
    this.excluded = new Set(excludes as string[]);
    this.mostResults = (set.max_result_window as number | undefined) ?? MOST_RESULTS;
    this.refreshMs = intervalOf(set.refresh_interval as string | undefined);
    this.fields = fieldsOf(properties as Json, analyzersOf(set.analysis), similaritiesOf(set.similarity));
  }

  /** What is kept of a document as it was sent. */
  sourceOf(document: Json): Json {
    return Object.fromEntries(Object.entries(document).filter(([name]) => !this.excluded.has(name)));
  }

  /** @throws {Refusal} for a member that it does not know, or of another type */
  indexed(id: string, document: Json): IndexedDocument {
    const values = new Map<string, number | string>();
    for (const [name, value] of Object.entries(document)) {
      const field = this.fields.get(name);
      if (!field || name.includes('.'))
        throw new Refusal(
          400,
          'strict_dynamic_mapping_exception',
          `mapping set to strict, dynamic introduction of [${name}] within [_doc] is not allowed`,
        );
      if (field.kind === 'object') membersOf(value, Object.keys(value as object), name);
      else values.set(name, checked(name, field.kind, value));
    }
    const texts = new Map<string, AnalyzedText>();
    for (const [name, field] of this.fields) {
      if (field.kind === 'text' && values.has(field.of)) texts.set(name, field.analyze(String(values.get(field.of))));
    }
    return { id, texts, values };
  }
}

function strict(mappings: unknown): Json {
  const known = membersOf(mappings, ['_meta', '_source', 'dynamic', 'properties'], 'mappings');
  if (known.dynamic !== 'strict') refuse('mapper_parsing_exception', 'The double has strict mappings only');
  return known;
}

/** `'1s'` -> 1000 */
function intervalOf(text = '1s'): number | null {
  if (text === '-1') return null;
  const seconds = /^(\d+)s$/.exec(text)?.[1];
  return seconds === undefined
    ? refuse('illegal_argument_exception', `failed to parse [${text}]`)
    : Number(seconds) * 1_000;
}

function checked(name: string, kind: 'text' | 'long' | 'keyword', value: unknown): number | string {
  if (kind === 'long' ? Number.isSafeInteger(value) : typeof value === 'string') return value as number | string;
  throw new Refusal(400, 'mapper_parsing_exception', `failed to parse field [${name}] of type [${kind}]`);
}

function fieldsOf(
  properties: Json,
  analyzers: ReadonlyMap<string, Analyzer>,
  similarities: ReadonlyMap<string, Similarity>,
): ReadonlyMap<string, Field> {
  const analyzer = (name: unknown): Analyzer =>
    analyzers.get(String(name)) ??
    refuse('mapper_parsing_exception', `analyzer [${String(name)}] has not been configured`);
  const textField = (of: string, settings: Json): TextField => ({
    kind: 'text',
    of,
    analyze: analyzer(settings.analyzer),
    search: analyzer(settings.search_analyzer ?? settings.analyzer),
    score:
      similarities.get(String(settings.similarity)) ??
      refuse('mapper_parsing_exception', `Unknown Similarity type [${String(settings.similarity)}]`),
  });
  const fields = new Map<string, Field>();
  for (const [name, settings] of Object.entries(properties as Record<string, Json>)) {
    switch (settings.type) {
      case 'long':
      case 'keyword':
        membersOf(settings, ['type'], name);
        fields.set(name, { kind: settings.type });
        break;
      case 'object':
        membersOf(settings, ['type', 'enabled'], name);
        fields.set(name, { kind: 'object' });
        break;
      case 'text':
        membersOf(settings, TEXT, name);
        fields.set(name, textField(name, settings));
        for (const [part, own] of Object.entries((settings.fields ?? {}) as Record<string, Json>))
          fields.set(`${name}.${part}`, textField(name, membersOf(own, TEXT, part)));
        break;
      default:
        refuse(
          'mapper_parsing_exception',
          `No handler for type [${String(settings.type)}] declared on field [${name}]`,
        );
    }
  }
  return fields;
}
