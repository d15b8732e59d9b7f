const MOST_PAGES = 1_000;

/** Pages of lists that were requested lately. A page that is requested once is not put together from cached texts. */
export class RecentPages {
  /** Whether they can be put together from texts, least recently used first. */
  private readonly pages = new Map<string, boolean>();

  /** Notes that a page is asked for. Whether it was before, and can be put together. */
  visit(page: string): boolean {
    const known = this.pages.get(page);
    this.note(page, known ?? true);
    return known === true;
  }

  /** A page that is too long to be put together. */
  exclude(page: string): void {
    this.note(page, false);
  }

  private note(page: string, isShort: boolean): void {
    this.pages.delete(page);
    this.pages.set(page, isShort);
    const [oldest] = this.pages.keys();
    if (this.pages.size > MOST_PAGES && oldest !== undefined) this.pages.delete(oldest);
  }
}
