import type { EditorState, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type WidgetType } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';

/** A part of a text that is seen. */
export interface Seen {
  readonly from: number;
  readonly to: number;
}

/** Decorates a node of the grammar, as far as it is visible. */
export type Look = (node: SyntaxNodeRef, all: Decorating, seen: Seen) => void;

const HIDDEN = Decoration.replace({});

/** Collects how a part of a text looks. */
export class Decorating {
  private readonly found: Range<Decoration>[] = [];

  /** @param isShown whether marks are shown at the cursor: not while the text is only looked at */
  constructor(
    readonly state: EditorState,
    private readonly isShown: boolean,
  ) {}

  /** Tells whether the cursor, or what is selected, touches a part. */
  isNear(from: number, to: number): boolean {
    return this.isShown && this.state.selection.ranges.some((range) => range.from <= to && range.to >= from);
  }

  /** The same of the lines of a part. */
  isNearLines(from: number, to = from): boolean {
    const { doc } = this.state;
    return this.isNear(doc.lineAt(from).from, doc.lineAt(to).to);
  }

  /** A look of the whole lines of a part, and of nothing beyond what is seen. */
  lines(from: number, to: number, look: string, style?: string): void {
    const { doc } = this.state;
    const line = Decoration.line({ class: look, ...(style !== undefined && { attributes: { style } }) });
    for (let at = doc.lineAt(from); ; at = doc.line(at.number + 1)) {
      this.found.push(line.range(at.from));
      if (at.to >= to || at.number === doc.lines) return;
    }
  }

  mark(from: number, to: number, look: string, attributes?: Readonly<Record<string, string>>): void {
    if (to > from) this.found.push(Decoration.mark({ class: look, ...(attributes && { attributes }) }).range(from, to));
  }

  hide(from: number, to: number): void {
    if (to > from) this.found.push(HIDDEN.range(from, to));
  }

  replace(from: number, to: number, widget: WidgetType): void {
    this.found.push(Decoration.replace({ widget }).range(from, to));
  }

  done(): DecorationSet {
    return Decoration.set(this.found, true);
  }
}
