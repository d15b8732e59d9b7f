/** Receives how far a backup or a restore has come. */
export interface RowProgress {
  /** @param total 0: not known */
  start(total: number, label: string): void;
  advance(count: number): void;
  /** It is done, or something else begins. */
  stop(): void;
}
