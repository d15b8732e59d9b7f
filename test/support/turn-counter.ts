/** Counts turns of the event loop: each in which something else could have been answered. */
export class TurnCounter {
  private turns = 0;
  private isOver = false;

  constructor() {
    this.next();
  }

  /** @returns how many there were */
  stop(): number {
    this.isOver = true;
    return this.turns;
  }

  private next(): void {
    setImmediate(() => {
      if (this.isOver) return;
      this.turns += 1;
      this.next();
    });
  }
}
