import { useHotkeys } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { mayWrite, type ContentType } from '../model.js';
import { meQuery } from '../queries.js';
import { words } from '../words.js';
import { BodyEditor } from './body/body-editor.js';
import type { EditingView } from './saving/editing-view.js';
import type { Editing } from './saving/editing.js';
import { leaveEditing } from './saving/editings.js';
import { EditorBar } from './editor-bar.js';
import classes from './editor.module.css';
import { builtInText, writeBuiltIn } from './fields/built-in.js';
import { FaultSummary } from './fields/fault-summary.js';
import { faultOf, inputId } from './fields/faults.js';
import fields from './fields/fields.module.css';
import { columnsOf, Fields, faultsIn, shownFaults } from './fields/form.js';
import { TitleInput } from './fields/title-input.js';
import { Rail } from './rail.js';
import { FoundTexts, useRivals } from './rivals.js';
import { usePublishing } from './saving/use-publishing.js';

interface EditorProps {
  readonly type: ContentType;
  readonly editing: Editing;
}

/** Writes one record. */
export function Editor({ type, editing }: EditorProps) {
  const view = useSyncExternalStore(editing.subscribe, editing.read);
  const isReadOnly = !useMayWrite(type, view);
  const publishing = usePublishing(editing);
  const rivals = useRivals(type, editing, view);
  const title = editing.textOf('title');
  const { body: kind } = type;
  const { wide, narrow } = columnsOf(type);
  const faults = shownFaults(editing, view, publishing.isAsked);
  const form = { type, editing, view, isReadOnly, faults, below: rivals.below };
  useLeaving(editing);
  useHotkeys(
    [
      ['mod+S', () => void publishing.save()],
      ['mod+shift+Enter', () => void (isReadOnly || publishing.publish())],
    ],
    [],
    true,
  );
  useEffect(() => {
    document.title = `${title || words.editor.untitled} · ${words.product}`;
  }, [title]);

  return (
    <div className={classes.page}>
      <EditorBar type={type} title={title} view={view} isReadOnly={isReadOnly} publishing={publishing} />
      {!view.isKept && editing.isBusy && <p className={classes.notKept}>{words.editor.notKept}</p>}
      <FoundTexts type={type} editing={editing} view={view} />
      {rivals.summary}
      {publishing.isAsked && faults.length > 0 && <FaultSummary type={type} faults={faults} />}
      <div className={classes.columns}>
        <div className={classes.text}>
          <TitleInput
            value={builtInText(editing, view, 'title')}
            isReadOnly={isReadOnly}
            isNew={view.opened === null}
            fault={faultOf(words.editor.title, faultsIn(faults, 'title'))}
            onChange={(text) => writeBuiltIn(editing, 'title', text)}
          />
          {rivals.below('title')}
          {kind !== 'none' && (
            <div id={inputId('body')}>
              <BodyEditor
                drawn={view.replaced.body ?? 0}
                text={builtInText(editing, view, 'body')}
                kind={kind}
                isReadOnly={isReadOnly}
                onChange={(text) => writeBuiltIn(editing, 'body', text)}
              />
              <BodyFault fault={faultOf(words.editor.body, faultsIn(faults, 'body'))} />
            </div>
          )}
          {rivals.below('body')}
          {wide.length > 0 && (
            <section className={fields.form} data-first={kind === 'none'} aria-label={words.editor.fieldsLabel}>
              <Fields {...form} fields={wide} />
            </section>
          )}
        </div>
        <Rail {...form} fields={narrow} />
      </div>
    </div>
  );
}

function BodyFault({ fault }: { readonly fault: string | undefined }) {
  return fault === undefined ? null : <p className={classes.fault}>{fault}</p>;
}

function useMayWrite(type: ContentType, { opened }: EditingView): boolean {
  const me = useQuery(meQuery).data;
  return me !== undefined && mayWrite(me, type.name, opened?.record ?? null);
}

/** Saves when the editor is left. */
function useLeaving(editing: Editing): void {
  const queries = useQueryClient();
  useEffect(() => () => void leaveEditing(editing).then(() => queries.invalidateQueries()), [editing, queries]);
}
