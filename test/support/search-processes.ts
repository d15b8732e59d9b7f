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

/** Documents with one word and an id each, the first and the last included. */
export function documents(first: number, last: number, word: string) {
  return Array.from({ length: last - first + 1 }, (_, n) => aDocument(first + n, word));
}
