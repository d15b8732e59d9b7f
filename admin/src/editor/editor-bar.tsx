import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Icon } from '../common/icons.js';
import { StatusBadge } from '../common/status-badge.js';
import { useTrash } from '../common/use-trash.js';
import { USUAL } from '../list/list-search.js';
import { may, type ContentType } from '../model.js';
import { meQuery, useMay } from '../queries.js';
import { words } from '../words.js';
import type { EditingView } from './saving/editing.js';
import classes from './editor.module.css';
import { SaveStateText } from './saving/save-state-text.js';
import type { Publishing } from './saving/use-publishing.js';

const t = words.editor;

interface EditorBarProps {
  readonly type: ContentType;
  readonly title: string;
  readonly view: EditingView;
  readonly isReadOnly: boolean;
  readonly publishing: Publishing;
}

/** Where the record stands, and what can be done with it. */
export function EditorBar({ type, title, view, isReadOnly, publishing }: EditorBarProps) {
  const { opened } = view;
  return (
    <header className={classes.bar}>
      <nav className={classes.crumbs} aria-label={words.nav.content}>
        <Link to="/content/$type" params={{ type: type.name }} search={USUAL}>
          {type.label_plural}
        </Link>
        <span aria-hidden>/</span>
        <span className={classes.crumb}>{title || t.untitled}</span>
      </nav>
      <div className={classes.state}>
        <SaveStateText view={view} isReadOnly={isReadOnly} />
        {opened && <StatusBadge status={opened.record.status} isEdited={opened.draft !== null} />}
      </div>
      {opened && <HistoryLink type={type.name} id={opened.record.id} />}
      {!isReadOnly && <Actions type={type} title={title} view={view} publishing={publishing} />}
    </header>
  );
}

interface HistoryLinkProps {
  readonly type: string;
  readonly id: number;
}

function HistoryLink({ type, id }: HistoryLinkProps) {
  const navigate = useNavigate();
  const isSeen = useMay(type)('revisions:read');
  const open = () => void (isSeen && navigate({ to: '/content/$type/$id/history', params: { type, id: String(id) } }));
  useHotkeys([['mod+alt+H', open]], [], true);
  if (!isSeen) return null;
  return (
    <ActionIcon variant="default" size={36} aria-label={t.history} title={`${t.history} (Ctrl Alt H)`} onClick={open}>
      <Icon name="history" />
    </ActionIcon>
  );
}

type ActionsProps = Omit<EditorBarProps, 'isReadOnly'>;

function Actions({ type, title, view, publishing }: ActionsProps) {
  const me = useQuery(meQuery);
  const { opened, state } = view;
  const mayPublish = me.data !== undefined && may(me.data, 'records:publish', type.name);
  const isPublic = opened?.record.status === 'published';
  const hasNews = !isPublic || opened.draft !== null || state !== 'clean';
  return (
    <div className={classes.actions}>
      {mayPublish && (
        <Button
          disabled={!opened || !hasNews}
          loading={publishing.isBusy}
          title={t.keys.publish}
          onClick={() => void publishing.publish()}
        >
          {isPublic ? t.publishChanges : t.publish}
        </Button>
      )}
      {opened && <MoreMenu {...{ type, title, view, publishing, mayPublish }} />}
    </div>
  );
}

function MoreMenu({ type, title, view, publishing, mayPublish }: ActionsProps & { readonly mayPublish: boolean }) {
  const me = useQuery(meQuery);
  const navigate = useNavigate();
  const trash = useTrash(type.name);
  const { opened } = view;
  const mayDelete = me.data !== undefined && may(me.data, 'records:delete', type.name);
  const remove = async () => {
    if (!opened) return;
    const isGone = await trash([opened.record.id], t.trashed(title || t.untitled));
    if (isGone) await navigate({ to: '/content/$type', params: { type: type.name }, search: USUAL });
  };
  return (
    <Menu position="bottom-end" shadow="md" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t.more} title={t.more}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayPublish && opened?.record.status === 'published' && (
          <Menu.Item onClick={() => void publishing.unpublish()}>{t.unpublish}</Menu.Item>
        )}
        {opened?.draft && <Menu.Item onClick={() => void publishing.discard()}>{t.discard}</Menu.Item>}
        {mayDelete && (
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => void remove()}>
            {t.trash}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
