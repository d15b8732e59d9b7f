import { Injectable } from '@nestjs/common';

/** More are left to the look at all records. */
const MAX_NOTED = 100_000;

/**
 * Records whose history has perhaps grown too long. Kept in memory: what a stop loses, the look at all records finds.
 */
@Injectable()
export class RetentionQueue {
  private readonly ids = new Set<number>();
  private isAllNoted = false;

  note(recordId: number): void {
    if (this.ids.size < MAX_NOTED) this.ids.add(recordId);
    else this.isAllNoted = true;
  }

  /** Every record may have one, since fewer revisions are kept from now on. */
  noteAll(): void {
    this.isAllNoted = true;
  }

  /** Takes out some of what was noted. */
  take(count: number): number[] {
    const some = [...this.ids].slice(0, count);
    for (const id of some) this.ids.delete(id);
    return some;
  }

  /** Whether all records are to be looked at; asking takes the note off. */
  takeAll(): boolean {
    const { isAllNoted } = this;
    this.isAllNoted = false;
    return isAllNoted;
  }
}
