import { WidgetType, type EditorView } from '@codemirror/view';
import { words } from '../../../words.js';
import { toggleTask } from '../writing/tasks.js';

/** The sign before an item of a list. */
export class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement('span');
    sign.className = 'md-bullet';
    sign.textContent = '•';
    return sign;
  }
}

/** The box of a task. A click writes into the text. */
export class TaskBox extends WidgetType {
  constructor(
    readonly isDone: boolean,
    readonly isReadOnly: boolean,
  ) {
    super();
  }

  override eq(other: TaskBox): boolean {
    return other.isDone === this.isDone && other.isReadOnly === this.isReadOnly;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.className = 'md-box';
    box.checked = this.isDone;
    box.disabled = this.isReadOnly;
    box.setAttribute('aria-label', words.writing.task);
    // What stands in the text decides, not the browser.
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      view.dispatch(toggleTask(view.state, view.posAtDOM(box)));
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The line of an image: what it shows, in words. A click leads into its text. */
export class ImageLine extends WidgetType {
  constructor(
    readonly alt: string,
    readonly address: string,
  ) {
    super();
  }

  override eq(other: ImageLine): boolean {
    return other.alt === this.alt && other.address === this.address;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement('span');
    line.className = 'md-image';
    line.title = this.address;
    line.textContent = this.alt || words.writing.image(nameIn(this.address));
    return line;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** `https://example.org/a/hill.jpg?w=2` -> `hill.jpg`, `https://` -> nothing */
function nameIn(address: string): string {
  const own = address.replace(/^https?:\/*$/, '');
  return (
    own
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast((part) => part !== '') ?? own
  );
}
