import { keymap, type EditorView } from '@codemirror/view';
import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { words } from '../../words.js';
import { modeExtension, modesOf, rememberedMode, rememberMode, showMode, type BodyMode } from './body-mode.js';
import type { BodyKind } from './body-setup.js';
import classes from './body.module.css';
import { FindLoader } from './find/find-loader.js';
import { ModeSwitch } from './mode-switch.js';
import { PasteOffer } from './paste/paste-offer.js';
import { pastedHtml, type PastedHtml } from './paste/pasted-html.js';
import { PreviewLoader } from './preview/preview-loader.js';
import { Toolbar } from './toolbar.js';
import { useEditorView } from './use-editor-view.js';

interface BodyEditorProps {
  readonly text: string;
  /** Another number whenever the text is another one than what was typed here. */
  readonly drawn: number;
  readonly kind: BodyKind;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Writes the body as the text that it is, and shows how it is read. */
export function BodyEditor({ text, drawn, kind, isReadOnly, onChange }: BodyEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState(() => rememberedMode(kind, text === ''));
  const [isFinding, setFinding] = useState(false);
  const [pasted, setPasted] = useState<PastedHtml | null>(null);
  const extra = () => [
    modeExtension(kind, mode),
    keymap.of([{ key: 'Mod-f', run: () => (setFinding(true), true) }]),
    kind === 'markdown' ? pastedHtml(setPasted) : [],
  ];
  const view = useEditorView(box, { text, drawn, kind, isReadOnly, extra, onChange });
  const choose = (next: BodyMode) => {
    rememberMode(kind, next);
    setMode(next);
    setFinding(false);
    if (view) showMode(view, kind, next);
  };
  usePreviewKey(kind, mode, choose);

  const isPreview = mode === 'preview';
  return (
    <div>
      <div className={classes.head} data-plain={kind === 'text'}>
        <Tools kind={kind} mode={mode} view={view} isReadOnly={isReadOnly} onChoose={choose} />
        {isFinding && view && <FindLoader view={view} isReadOnly={isReadOnly} onClose={() => setFinding(false)} />}
        {pasted && view && <PasteOffer view={view} pasted={pasted} onDone={() => setPasted(null)} />}
      </div>
      <div ref={box} className={classes.body} hidden={isPreview} />
      {isPreview && kind !== 'text' && <PreviewLoader text={text} kind={kind} />}
    </div>
  );
}

interface ToolsProps {
  readonly kind: BodyKind;
  readonly mode: BodyMode;
  readonly view: EditorView | null;
  readonly isReadOnly: boolean;
  readonly onChoose: (mode: BodyMode) => void;
}

function Tools({ kind, mode, view, isReadOnly, onChoose }: ToolsProps) {
  if (kind === 'text') return null;
  return (
    <>
      {kind === 'markdown' && !isReadOnly && mode !== 'preview' && <Toolbar view={view} />}
      <ModeSwitch modes={modesOf(kind)} mode={mode} source={words.writing.modes[kind]} onChoose={onChoose} />
    </>
  );
}

/** A key that leads to the preview, and back to where one came from. */
function usePreviewKey(kind: BodyKind, mode: BodyMode, choose: (mode: BodyMode) => void): void {
  const modes = modesOf(kind);
  const before = useRef(modes[0] ?? mode);
  if (mode !== 'preview') before.current = mode;
  const turn = () => {
    if (modes.includes('preview')) choose(mode === 'preview' ? before.current : 'preview');
  };
  useHotkeys([['mod+alt+P', turn, { usePhysicalKeys: true }]], [], true);
}
