type Part = 'title' | 'body' | 'note';
type Value = string | null;
type Changes = Readonly<Partial<Record<Part, { readonly value: Value; readonly base: Value }>>>;

/** What a record holds, as far as a model of it goes. */
export type Content = Readonly<Record<Part, Value>>;

const PARTS: readonly Part[] = ['title', 'body', 'note'];

/** A record and its working copy as they should be, kept in memory and without any of the rules of the service. */
export class CopyModel {
  isPublished = false;
  private changes: Changes = {};
  /** What the record was after each of its writes. */
  readonly history: Content[];

  constructor(public content: Content) {
    this.history = [content];
  }

  get hasCopy(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** What is to change. */
  get pending(): Partial<Content> {
    const parts = PARTS.flatMap((part) => {
      const change = this.changes[part];
      return change && change.value !== this.content[part] ? [[part, change.value] as const] : [];
    });
    return Object.fromEntries(parts);
  }

  /** What is to change, and was changed in the record meanwhile. */
  get conflicts(): readonly Part[] {
    const { pending } = this;
    return PARTS.filter((part) => part in pending && this.changes[part]?.base !== this.content[part]);
  }

  save(way: 'merge' | 'replace', sent: Partial<Content>): void {
    const others = Object.entries(way === 'merge' ? this.changes : {}).filter(([part]) => !Object.hasOwn(sent, part));
    const set = PARTS.flatMap((part) => {
      const [value, base] = [sent[part], this.content[part]];
      return value === undefined || value === base ? [] : [[part, { value, base }] as const];
    });
    this.changes = Object.fromEntries([...others, ...set]);
  }

  foldIn(kind: 'publish' | 'apply'): void {
    this.write({ ...this.content, ...this.pending }, kind === 'publish' || this.isPublished);
    this.discard();
  }

  discard(): void {
    this.changes = {};
  }

  write(content: Content, isPublished = this.isPublished): void {
    const isSame = PARTS.every((part) => content[part] === this.content[part]) && isPublished === this.isPublished;
    if (!isSame) this.history.push(content);
    this.content = content;
    this.isPublished = isPublished;
  }
}
