import type { Generations } from '../../src/search/opensearch/generations.js';
import { OpenSearchIndex } from '../../src/search/opensearch/open-search-index.js';
import { aDocument, openSearch, type OpenSearch } from './open-search.js';
import { OpenSearchDouble } from './opensearch/opensearch-double.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** Processes of the search on one database, with one double of OpenSearch. */
export class SearchProcesses {
  private readonly opened: OpenSearch[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly double: OpenSearchDouble,
  ) {}

  /** @param double that other databases feed as well */
  static async begin(double?: OpenSearchDouble): Promise<SearchProcesses> {
    return new SearchProcesses(await createTestDatabase(), double ?? (await OpenSearchDouble.start()));
  }

  async open(): Promise<OpenSearch> {
    const { database, double } = this;
    const process = await openSearch(database, { double });
    this.opened.push(process);
    return process;
  }

  /** One turn of the job that feeds, whatever becomes of it. */
  async feed({ feed }: Pick<OpenSearch, 'feed'>): Promise<void> {
    await feed?.work(new AbortController().signal).catch(() => undefined);
  }

  /** What a search for a word finds, the youngest first. */
  async found(process: OpenSearch, word: string): Promise<number[]> {
    this.double.refresh();
    const { hits } = await process.find(`"${word}"`, { limit: 100 });
    return hits.map(({ id }) => id);
  }

  async end(): Promise<void> {
    for (const process of this.opened) await process.close();
    await this.double.close();
    await this.database.drop();
  }
}

/** What a suite of tests begins with. */
interface Beginning {
  /** Documents with one word and an id each, the first and the last included; left out: none. */
  readonly documents?: readonly [first: number, last: number, word: string];
  /** Whether OpenSearch has them. */
  readonly isSettled?: boolean;
}

/** Begins processes of the search, and a first one of them, before each test of a suite, and ends them behind it. */
export function searchSuite({ documents: some, isSettled = false }: Beginning = {}): {
  readonly all: SearchProcesses;
  readonly one: OpenSearch;
} {
  let all: SearchProcesses | undefined;
  let one: OpenSearch | undefined;
  beforeEach(async () => {
    all = await SearchProcesses.begin();
    one = await all.open();
    if (some) await one.put(...documents(...some));
    if (isSettled) await one.settle();
  });
  afterEach(async () => {
    await all?.end();
    all = one = undefined;
  });
  return {
    get all() {
      return begun(all);
    },
    get one() {
      return begun(one);
    },
  };
}

function begun<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('No test has begun.');
  return part;
}

export function generationsOf({ index }: Pick<OpenSearch, 'index'>): Generations {
  if (!(index instanceof OpenSearchIndex)) throw new Error('OpenSearch is not searched.');
  return index.generations;
}

/** Documents with one word and an id each, the first and the last included. */
export function documents(first: number, last: number, word: string) {
  return Array.from({ length: last - first + 1 }, (_, n) => aDocument(first + n, word));
}
