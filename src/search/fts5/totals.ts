/** Counts of one state of the file, so that turning pages does not count again. */
export class Totals {
  private readonly totals = new Map<string, number>();
  private state = '';

  constructor(private readonly most = 1_000) {}

  async of(state: string, question: string, count: () => Promise<number>): Promise<number> {
    if (state !== this.state || this.totals.size >= this.most) this.totals.clear();
    this.state = state;
    const known = this.totals.get(question);
    if (known !== undefined) return known;
    const total = await count();
    this.totals.set(question, total);
    return total;
  }
}
