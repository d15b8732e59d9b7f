import { useMemo, useState } from 'react';
import { Fold } from '../editor/merging/fold.js';
import { drawn } from '../editor/merging/text-part.js';
import type { FoldedPart, Part, TextPart } from '../editor/merging/word-parts.js';
import { words } from '../words.js';
import classes from './history.module.css';
import { sideRows, type SideRow } from './side-rows.js';

const t = words.editor.merging;

interface SideDiffProps {
  readonly before: { readonly label: string; readonly text: string };
  readonly after: { readonly label: string; readonly text: string };
}

/** Two long texts beside each other. What changed is marked by words, and what stayed is folded. */
export function SideDiff({ before, after }: SideDiffProps) {
  const { rows, more } = useMemo(() => sideRows(before.text, after.text), [before.text, after.text]);
  return (
    // What may have to be scrolled can be reached by the keyboard.
    <div className={classes.sides} tabIndex={0} role="group" aria-label={t.difference}>
      <table>
        <thead>
          <tr>
            <th scope="col">{before.label}</th>
            <th scope="col">{after.label}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row key={at} row={row} />
          ))}
          {more > 0 && (
            <tr>
              <td colSpan={2}>{t.moreChanges(more)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: SideRow }) {
  if (row.kind === 'folded') return <FoldedRow part={row.part} />;
  if (row.kind === 'same') return <SameRow part={row.part} />;
  return (
    <tr data-step>
      <td data-gone>{row.before.map(partOf)}</td>
      <td data-come>{row.after.map(partOf)}</td>
    </tr>
  );
}

/** Stands for lines that both texts have, and shows them when it is pressed. */
function FoldedRow({ part: { text, left } }: { readonly part: FoldedPart }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen && left) return <SameRow part={left} isFocused />;
  return (
    <tr>
      <td colSpan={2} data-folded>
        <button type="button" onClick={() => setOpen(true)}>
          {text}
        </button>
      </td>
    </tr>
  );
}

function SameRow({ part: { text }, isFocused = false }: { readonly part: TextPart; readonly isFocused?: boolean }) {
  // The button that had the focus is gone.
  const focus = isFocused ? (row: HTMLElement | null) => row?.focus({ preventScroll: true }) : undefined;
  return (
    <tr tabIndex={isFocused ? -1 : undefined} ref={focus}>
      <td>{text}</td>
      <td>{text}</td>
    </tr>
  );
}

function partOf(part: Part, at: number) {
  return <span key={at}>{part.kind === 'folded' ? <Fold part={part} draw={drawn} /> : drawn(part)}</span>;
}
