import type { EditingView } from '../saving/editing-view.js';
import type { Editing } from '../saving/editing.js';
import { BUILT_IN } from './registry.js';

/** The text in the input of a part that every record has. */
export function builtInText(editing: Editing, { held }: EditingView, part: keyof typeof BUILT_IN): string {
  const input = held[part]?.input;
  return typeof input === 'string' ? input : editing.textOf(part);
}

/** Takes what was typed there: what is too long for the service is not sent. */
export function writeBuiltIn(editing: Editing, part: keyof typeof BUILT_IN, text: string): void {
  const { fault } = BUILT_IN[part](text);
  if (fault === undefined) editing.change(part, text);
  else editing.hold(part, text, fault);
}
