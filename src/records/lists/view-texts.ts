import type { RecordView } from '../rows/record-view.js';

/** Whether a value of a view is a view itself: a record in the place of a reference. */
type IsView = (value: unknown) => value is RecordView;

/**
 * JSON texts of views, part by part: a record may stand in the place of thousands of references, and is made into text
 * once for all of them.
 */
export class ViewTexts {
  private readonly known = new Map<RecordView, string>();

  constructor(private readonly isView: IsView) {}

  *of(view: RecordView): Generator<string> {
    const entries = Object.entries(view);
    if (!entries.some(([, value]) => this.hasView(value))) {
      yield this.plain(view);
      return;
    }
    let before = '{';
    for (const [key, value] of entries) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* this.value(value);
      before = ',';
    }
    yield '}';
  }

  private *value(value: unknown): Generator<string> {
    if (this.isView(value)) yield* this.of(value);
    else if (Array.isArray(value) && this.hasView(value)) yield* this.items(value);
    else yield JSON.stringify(value);
  }

  private *items(values: readonly unknown[]): Generator<string> {
    let before = '[';
    for (const value of values) {
      yield before;
      yield* this.value(value);
      before = ',';
    }
    yield ']';
  }

  private plain(view: RecordView): string {
    const known = this.known.get(view) ?? JSON.stringify(view);
    this.known.set(view, known);
    return known;
  }

  private hasView(value: unknown): boolean {
    return Array.isArray(value) ? value.some(this.isView) : this.isView(value);
  }
}
