import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { showUndo } from '../common/undo.js';
import { useLoaded } from '../common/use-loaded.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import { labelOf } from './fields/faults.js';
import { termQuery } from './fields/picking/picking-queries.js';
import { termsOf } from './fields/picking/terms.js';
import { isLong, textsOf, type Clash } from './merging/clash.js';
import { ClashNotice } from './merging/clash-notice.js';
import { ConflictSummary } from './merging/conflict-summary.js';
import { MergeDialogLoader } from './merging/merge-dialog-loader.js';
import type { KeptEcho } from './saving/echo.js';
import type { EditingView } from './saving/editing-view.js';
import type { Editing, Rivalry } from './saving/editing.js';
import { writeAgain } from './saving/editings.js';
import { taxonomyOf } from './saving/parts.js';

const t = words.editor.merging;

export interface Rivals {
  /** The notice above the record; `null`: none. */
  readonly summary: ReactNode;
  /** The notice below a field. */
  readonly below: (field: string) => ReactNode;
}

/** Changes of others to the same fields, and the choices about them; nothing of both is lost on the way. */
export function useRivals(type: ContentType, editing: Editing, view: EditingView): Rivals {
  const [merging, setMerging] = useState<string | null>(null);
  const order = ['title', 'body', 'slug', ...type.fields.map(({ name }) => name)];
  const rivalries = editing.rivals().toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  const nameOf = useTermNames(view);
  const settle = (some: readonly Rivalry[], side: 'mine' | 'theirs') => {
    const [own, others] = [valuesOf(some, 'mine'), valuesOf(some, 'theirs')];
    for (const rivalry of some) editing.decide(rivalry.field, rivalry[side]);
    const [values, instead] = side === 'mine' ? [others, own] : [own, others];
    const undo = { values, instead, held: {}, clashing: {} };
    showUndo(t[side === 'mine' ? 'kept' : 'taken'], () => writeAgain(editing, undo));
  };
  const [first] = rivalries;
  const open = rivalries.find(({ field }) => field === merging);
  return {
    summary: first && (
      <>
        <ConflictSummary
          clashes={rivalries.map((rivalry) => clashOf(type, rivalry, nameOf))}
          {...otherOf(view, first)}
          onMine={() => settle(rivalries, 'mine')}
          onTheirs={() => settle(rivalries, 'theirs')}
        />
        {open && (
          <Merging
            type={type}
            clash={clashOf(type, open, nameOf)}
            onText={(text) => editing.keepMerge(open.field, text)}
            onEnd={(text) => {
              setMerging(null);
              editing.keepMerge(open.field, null);
              if (text !== null) editing.decide(open.field, text);
            }}
          />
        )}
      </>
    ),
    below: (field) => {
      const rivalry = rivalries.find((one) => one.field === field);
      if (!rivalry) return null;
      const clash = clashOf(type, rivalry, nameOf);
      return (
        <ClashNotice
          clash={clash}
          {...otherOf(view, rivalry)}
          onMine={() => settle([rivalry], 'mine')}
          onTheirs={() => settle([rivalry], 'theirs')}
          {...(isLong(clash) && { onMerge: () => setMerging(field) })}
        />
      );
    },
  };
}

interface MergingProps {
  readonly type: ContentType;
  readonly clash: Clash;
  readonly onText: (text: string) => void;
  /** @param text `null`: both stay as they are */
  readonly onEnd: (text: string | null) => void;
}

function Merging({ type, clash, onText, onEnd }: MergingProps) {
  const texts = textsOf(clash);
  const kind = clash.field === 'body' && type.body !== 'none' ? type.body : 'text';
  return (
    texts && (
      <MergeDialogLoader
        label={clash.label}
        kind={kind}
        {...texts}
        onText={onText}
        onDone={onEnd}
        onCancel={() => onEnd(null)}
      />
    )
  );
}

interface FoundTextsProps {
  readonly type: ContentType;
  readonly editing: Editing;
  readonly view: EditingView;
}

/** Texts that were typed and stand in no input. */
export function FoundTexts({ type, editing, view }: FoundTextsProps) {
  const queries = useQueryClient();
  const { length } = view.found;
  // One that came up while the record was written may be of a field that the type has lost.
  useEffect(() => void (length > 0 && queries.invalidateQueries({ queryKey: ['types'] })), [length, queries]);
  const { opened } = view;
  // Of other new records nothing is offered while this one is written: they wait on the device.
  const isOwn = ({ id }: KeptEcho) => (opened ? id === opened.record.id : id === null && !editing.isBusy);
  return view.found.filter(isOwn).map((echo) => <Found key={echo.key} {...{ type, editing, view, echo }} />);
}

const loadNotice = () => import('./merging/recovery-notice.js');

function Found({ type, editing, view, echo }: FoundTextsProps & { readonly echo: KeptEcho }) {
  const { code } = useLoaded(loadNotice);
  return (
    code && (
      <code.RecoveryNotice
        when={new Date(echo.at).toISOString()}
        fields={Object.entries(valuesIn(echo)).map(([field, kept]) => ({
          label: labelOf(type, field),
          saved: view.opened?.current[field] ?? null,
          kept,
        }))}
        onKeep={() => void editing.recover(echo)}
        onDiscard={() => void editing.forget(echo)}
      />
    )
  );
}

function valuesIn({ values, held = {}, creation }: KeptEcho) {
  const inputs = Object.entries(held).map(([field, { input }]) => [field, input]);
  return { ...creation?.body, ...values, ...(Object.fromEntries(inputs) as typeof values) };
}

function valuesOf(rivalries: readonly Rivalry[], side: 'mine' | 'theirs') {
  return Object.fromEntries(rivalries.map((rivalry) => [rivalry.field, rivalry[side]]));
}

/** The view of a clash: terms by their names. */
function clashOf(type: ContentType, { field, base, mine, theirs }: Rivalry, nameOf: TermNames): Clash {
  const taxonomy = taxonomyOf(field);
  const shown = (value: unknown) => (taxonomy === null ? value : termsOf(value).map((term) => nameOf(taxonomy, term)));
  return { field, label: labelOf(type, field), base: shown(base), mine: shown(mine), theirs: shown(theirs) };
}

type TermNames = (taxonomy: string, term: number | string) => string;

/** Names of terms, as far as the record or a picker has said them. */
function useTermNames({ opened }: EditingView): TermNames {
  const queries = useQueryClient();
  return (taxonomy, term) => {
    if (typeof term === 'string') return term;
    const known = [opened?.current, opened?.record].flatMap((record) => record?.terms?.[taxonomy] ?? []);
    const own = known.find(({ id }) => id === term) ?? queries.getQueryData(termQuery(taxonomy, term).queryKey);
    return own?.name ?? `${taxonomy} ${term}`;
  };
}

/** The author of the other change, and its time. */
function otherOf({ opened }: EditingView, { isInRecord }: Rivalry) {
  const { record, draft } = opened ?? {};
  const by = isInRecord ? null : draft;
  const who = by ? by.updated_by : record?.updated_by;
  return { who: who ?? null, when: by?.updated_at ?? record?.updated_at ?? new Date().toISOString() };
}
