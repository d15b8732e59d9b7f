import type { Indexes } from './indexes.js';
import { membersOf, onlyMember, refuse, Refusal, type Json } from './refusal.js';

/** Has an item of a bulk request refused, by its id. */
export type ItemTrouble = (id: string) => { readonly status: number; readonly type: string } | null;

const PLACE = ['_index', '_id', 'routing', 'version', 'version_type', 'if_seq_no', 'if_primary_term', 'require_alias'];

/** Runs the lines of `_bulk`, one after the other; each has an answer of its own. */
export function bulk(
  indexes: Indexes,
  target: { readonly name: string; readonly isAliasRequired: boolean },
  text: string,
  troubleOf: ItemTrouble,
): object {
  if (!text.endsWith('\n'))
    refuse('illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]');
  const lines = text.slice(0, -1).split('\n').map(parsed);
  const items: Json[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [action, place] = onlyMember(lines[at], 'action');
    if (action !== 'index' && action !== 'delete')
      refuse('illegal_argument_exception', `Malformed action/metadata line [${at + 1}], found [${action}]`);
    const { _id: id, ...version } = membersOf(place, PLACE, `action/metadata line ${at + 1}`);
    const document = action === 'index' ? lines[(at += 1)] : null;
    items.push({ [action]: itemOf(String(id), () => write(String(id), version, document)) });
  }
  return { took: 1, errors: items.some((item) => 'error' in (Object.values(item)[0] as object)), items };

  function write(id: string, version: Json, document: unknown): object {
    const trouble = troubleOf(id);
    if (trouble) throw new Refusal(trouble.status, trouble.type, 'as the test has it');
    const index = indexes.forWrite(target.name, target.isAliasRequired);
    if (document === null) return { _index: index.name, ...index.delete(id, version) };
    return { _index: index.name, ...index.put(id, version, document as Json) };
  }
}

function itemOf(id: string, write: () => object): object {
  try {
    const written = write() as { readonly result: string };
    const status = { created: 201, updated: 200, deleted: 200, not_found: 404 }[written.result];
    return { _id: id, _shards: { total: 2, successful: 1, failed: 0 }, ...written, status };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { _index: 'unknown', _id: id, status: error.status, error: error.reasons };
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return refuse('parsing_exception', 'Malformed content, found a line that is no JSON');
  }
}
