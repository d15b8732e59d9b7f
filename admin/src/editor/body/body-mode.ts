import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { BodyKind } from './body-setup.js';
import { liveMarkdown } from './live/live-markdown.js';
import { plainLooks } from './looks.js';

/** Ways to look at a body: as it will be read, as it is stored, and as it is read. */
const MODES = ['write', 'source', 'preview'] as const;
export type BodyMode = (typeof MODES)[number];

const KEY = 'content-console body mode';

/** The modes of a kind: HTML is written as what is stored, and a plain text has nothing to preview. */
export function modesOf(kind: BodyKind): readonly BodyMode[] {
  if (kind === 'markdown') return MODES;
  return kind === 'html' ? ['source', 'preview'] : ['source'];
}

/** The mode that was chosen last on this device for bodies of the kind. There is nothing to preview of an empty body. */
export function rememberedMode(kind: BodyKind, isEmpty: boolean): BodyMode {
  const modes = modesOf(kind);
  const kept = modes.find((mode) => mode === read(kind));
  return kept === undefined || (kept === 'preview' && isEmpty) ? (modes[0] ?? 'source') : kept;
}

export function rememberMode(kind: BodyKind, mode: BodyMode): void {
  try {
    localStorage.setItem(`${KEY} ${kind}`, mode);
  } catch {
    // A window that keeps nothing starts anew each time.
  }
}

const looks = new Compartment();

/** The extension that an editor begins with. */
export function modeExtension(kind: BodyKind, mode: BodyMode): Extension {
  return looks.of(looksOf(kind, mode));
}

/** Shows the same text in another way, with the same cursor and history. */
export function showMode(view: EditorView, kind: BodyKind, mode: BodyMode): void {
  if (mode !== 'preview') view.dispatch({ effects: looks.reconfigure(looksOf(kind, mode)) });
}

function looksOf(kind: BodyKind, mode: BodyMode): Extension {
  if (kind === 'text') return [];
  return kind === 'markdown' && mode !== 'source' ? liveMarkdown : plainLooks;
}

function read(kind: BodyKind): string | null {
  try {
    return localStorage.getItem(`${KEY} ${kind}`);
  } catch {
    return null;
  }
}
