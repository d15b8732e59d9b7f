import { useHotkeys } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { mayWrite, type ContentType, type Me } from '../model.js';
import { meQuery } from '../queries.js';
import { words } from '../words.js';
import { BodyEditor } from './body/body-editor.js';
import { ConflictNotice } from './conflict-notice.js';
import type { Editing, EditingView } from './saving/editing.js';
import { EditorBar } from './editor-bar.js';
import classes from './editor.module.css';
import { Rail } from './rail.js';
import { TitleInput } from './fields/title-input.js';
import { usePublishing } from './saving/use-publishing.js';

interface EditorProps {
  readonly type: ContentType;
  readonly editing: Editing;
}

/** Writes one record. */
export function Editor({ type, editing }: EditorProps) {
  const view = useSyncExternalStore(editing.subscribe, editing.read);
  const me = useQuery(meQuery);
  const isReadOnly = !me.data || !mayEdit(me.data, type, view);
  const publishing = usePublishing(editing);
  const title = editing.textOf('title');
  const { body: kind } = type;
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
      {view.state === 'conflict' && <ConflictNotice editing={editing} onReplaced={publishing.redraw} />}
      <div className={classes.columns}>
        <div className={classes.text}>
          <TitleInput
            value={title}
            isReadOnly={isReadOnly}
            isNew={view.opened === null}
            fault={editing.faults().find(({ field }) => field === 'title')?.message}
            onChange={(next) => editing.change('title', next)}
          />
          {kind !== 'none' && (
            <BodyEditor
              key={publishing.round}
              text={editing.textOf('body')}
              kind={kind}
              isReadOnly={isReadOnly}
              onChange={(text) => editing.change('body', text)}
            />
          )}
        </div>
        <Rail key={publishing.round} type={type} editing={editing} view={view} isReadOnly={isReadOnly} />
      </div>
    </div>
  );
}

/** Those who change their own records only may do so as long as they are the ones who made them. */
function mayEdit(me: Me, type: ContentType, { opened }: EditingView): boolean {
  const isWriter = mayWrite(me, type.name);
  const author = opened?.record.created_by as { readonly kind?: string; readonly id?: number } | null | undefined;
  const isAll = me.scopes.some((scope) => ['*', 'records:update', `records:update:${type.name}`].includes(scope));
  return isWriter && (isAll || !opened || author?.id === me.user.id);
}

/** Saves when the editor is left. The browser asks before it closes a page with something unsaved. */
function useLeaving(editing: Editing): void {
  const queries = useQueryClient();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (editing.isBusy) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      void editing
        .save()
        .catch(() => false)
        .then(() => queries.invalidateQueries());
    };
  }, [editing, queries]);
}
