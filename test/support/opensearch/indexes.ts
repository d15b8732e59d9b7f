import { membersOf, onlyMember, refuse, Refusal, type Json } from './refusal.js';
import { StoredIndex } from './stored-index.js';

const NAME = /^[a-z0-9][a-z0-9._-]*$/;
/** What a mapping is where a document makes its index. */
const MADE_BY_DOCUMENT: Json = { mappings: { dynamic: 'strict', properties: {} } };

/** All indexes and their aliases. */
export class Indexes {
  /** Names of those that a write has made because they were not there. */
  readonly madeByWrites: string[] = [];
  private readonly all = new Map<string, StoredIndex>();

  get names(): readonly string[] {
    return [...this.all.keys()].sort();
  }

  isAlias(name: string): boolean {
    return this.behind(name).length > 0;
  }

  create(name: string, body: Json): StoredIndex {
    if (!NAME.test(name)) refuse('invalid_index_name_exception', `Invalid index name [${name}]`);
    if (this.all.has(name)) refuse('resource_already_exists_exception', `index [${name}] already exists`);
    if (this.behind(name).length > 0) refuse('invalid_index_name_exception', `[${name}] already exists as alias`);
    const index = new StoredIndex(name, body);
    const aliases = Object.entries((body.aliases ?? {}) as Json);
    for (const [alias, settings] of aliases) {
      membersOf(
        settings,
        ['filter', 'index_routing', 'is_hidden', 'is_write_index', 'routing', 'search_routing'],
        alias,
      );
      this.addAlias(index, alias);
    }
    this.all.set(name, index);
    return index;
  }

  delete(name: string): void {
    if (this.behind(name).length > 0) refuse('illegal_argument_exception', `[${name}] is an alias`);
    (this.all.get(name) ?? missing(name)).close();
    this.all.delete(name);
  }

  /** The one of a name, or behind an alias. @throws {Refusal} */
  required(name: string): StoredIndex {
    const found = this.all.get(name);
    const [behind, another] = this.behind(name);
    if (another) refuse('illegal_argument_exception', `Alias [${name}] has more than one index associated with it`);
    return open(found ?? behind ?? missing(name));
  }

  /**
   * Those whose names fit a pattern with stars, or that have the name.
   *
   * @param states of those that fit a pattern: `open`, `closed`, `all`, or several, with commas
   */
  matching(pattern: string, states: string): readonly StoredIndex[] {
    if (!pattern.includes('*')) return [this.required(pattern)];
    const expression = new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/\*/g, '.*')}$`);
    const asked = states.split(',');
    // An alias fits as well, and stands for its indexes.
    return [...this.all.values()].filter(
      ({ name, aliases, isClosed }) =>
        (asked.includes('all') || asked.includes(isClosed ? 'closed' : 'open')) &&
        [name, ...aliases].some((one) => expression.test(one)),
    );
  }

  /** Where a write goes; one that is not there is made, unless an alias has to be. @throws {Refusal} */
  forWrite(name: string, isAliasRequired: boolean): StoredIndex {
    const [behind] = this.behind(name);
    if (behind) return open(behind);
    if (isAliasRequired)
      throw new Refusal(
        404,
        'index_not_found_exception',
        `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
      );
    const found = this.all.get(name);
    if (found) return open(found);
    this.madeByWrites.push(name);
    return this.create(name, MADE_BY_DOCUMENT);
  }

  /** All of them or none. @throws {Refusal} */
  changeAliases(body: unknown): void {
    const { actions } = membersOf(body, ['actions'], 'aliases');
    const changes = (actions as unknown[]).map((action) => this.changeOf(action));
    for (const change of changes) change();
  }

  refresh(): void {
    for (const index of this.all.values()) index.refresh();
  }

  close(): void {
    for (const index of this.all.values()) index.close();
  }

  private changeOf(action: unknown): () => void {
    const [kind, body] = onlyMember(action, 'action');
    const { index: name, alias } = membersOf(body, ['index', 'alias', 'is_write_index', 'must_exist'], kind);
    const index = this.all.get(String(name)) ?? missing(String(name));
    switch (kind) {
      case 'add':
        return () => {
          this.addAlias(index, String(alias));
        };
      case 'remove':
        if (!index.aliases.has(String(alias)))
          throw new Refusal(404, 'aliases_not_found_exception', `aliases [${String(alias)}] missing`);
        return () => {
          index.aliases.delete(String(alias));
        };
      default:
        return refuse('parsing_exception', `The double has no action [${kind}]`);
    }
  }

  private addAlias(index: StoredIndex, alias: string): void {
    if (this.all.has(alias))
      refuse(
        'invalid_alias_name_exception',
        `Invalid alias name [${alias}]: an index exists with the same name as the alias`,
      );
    index.aliases.add(alias);
  }

  private behind(alias: string): StoredIndex[] {
    return [...this.all.values()].filter(({ aliases }) => aliases.has(alias));
  }
}

function open(index: StoredIndex): StoredIndex {
  return index.isClosed ? refuse('index_closed_exception', 'closed') : index;
}

function missing(name: string): never {
  throw new Refusal(404, 'index_not_found_exception', `no such index [${name}]`);
}
