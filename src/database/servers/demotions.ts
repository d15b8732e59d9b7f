/** How often at most all connections are replaced while a server goes on refusing. */
const REPLACED_EVERY_MS = 1_000;

/**
 * Records when the server refused writes as read-only, or announced its shutdown. The pool for reading hears it from
 * the one for writing, since a demoted server refuses no read: it would be asked for ever, and answer with what was
 * true at the failover.
 */
export class Demotions {
  private last = -Infinity;
  /** The refusal before which a connection must have been opened to be replaced. */
  private replacedBefore = -Infinity;

  note(): void {
    this.last = performance.now();
  }

  /** Whether a connection may go on being used. A refusal soon after another one counts too, but later. */
  isUsable(openedAt: number): boolean {
    if (performance.now() - this.replacedBefore >= REPLACED_EVERY_MS) this.replacedBefore = this.last;
    return openedAt > this.replacedBefore;
  }
}
