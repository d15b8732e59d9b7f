import type { ActorView } from '../../../records/rows/actor-names.js';
import type { Actors } from '../../../records/rows/actors.js';

const CACHE_SIZE = 10_000;

/** Who wrote the records of a file, as the numbers that they have here. */
export class Authors {
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly actors: Actors,
    /** Accounts here by the ids that they have in the file. */
    private readonly userIds: ReadonlyMap<number, number>,
    private readonly isDryRun: boolean,
  ) {}

  async idOf(view: ActorView): Promise<number> {
    if (this.isDryRun) return 0;
    const key = JSON.stringify([view.kind, view.id, view.name]);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const userId = view.kind === 'user' && view.id !== null ? (this.userIds.get(view.id) ?? null) : null;
    const id = await this.actors.idOfImported(view, userId);
    if (this.ids.size >= CACHE_SIZE) this.ids.clear();
    this.ids.set(key, id);
    return id;
  }
}
