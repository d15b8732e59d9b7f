import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Icon } from '../common/icons.js';
import { usePageActions } from '../common/page-actions.js';
import { StatusBadge } from '../common/status-badge.js';
import { useTrash } from '../common/use-trash.js';
import { USUAL } from '../list/list-search.js';
import type { ContentType } from '../model.js';
import { meQuery, useMay } from '../queries.js';
import { useRecent } from '../search/recent.js';
import { words } from '../words.js';
import type { EditingView } from './saving/editing-view.js';
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

/** The state of the record, and the actions on it. */
export function EditorBar({ type, title, view, isReadOnly, publishing }: EditorBarProps) {
  const { opened } = view;
  const me = useQuery(meQuery).data;
  useRecent(me?.user.id, type.name, opened?.record.id, title);
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
  usePageActions(isSeen && { label: t.history, icon: 'history', run: open });
  if (!isSeen) return null;
  return (
    <ActionIcon variant="default" size={36} aria-label={t.history} title={`${t.history} (Ctrl Alt H)`} onClick={open}>
      <Icon name="history" />
    </ActionIcon>
  );
}

type ActionsProps = Omit<EditorBarProps, 'isReadOnly'>;

function Actions({ type, title, view, publishing }: ActionsProps) {
  const { opened, state } = view;
  const mayPublish = useMay(type.name)('records:publish');
  const isPublic = opened?.record.status === 'published';
  const hasNews = !isPublic || opened.draft !== null || state !== 'clean';
  const publishText = isPublic ? t.publishChanges : t.publish;
  const publish = () => void publishing.publish();
  const canPublish = opened && hasNews;
  usePageActions(mayPublish && canPublish && { label: publishText, icon: 'check', run: publish });
  return (
    <div className={classes.actions}>
      {mayPublish && (
        <Button disabled={!canPublish} loading={publishing.isBusy} title={t.keys.publish} onClick={publish}>
          {publishText}
        </Button>
      )}
      {opened && <MoreMenu {...{ type, title, view, publishing, mayPublish }} />}
    </div>
  );
}

function MoreMenu({ type, title, view, publishing, mayPublish }: ActionsProps & { readonly mayPublish: boolean }) {
  const navigate = useNavigate();
  const trash = useTrash(type.name);
  const { opened } = view;
  const mayDelete = useMay(type.name)('records:delete');
  const hasDraft = !!opened?.draft;
  const remove = async () => {
    if (!opened) return;
    const isGone = await trash([opened.record.id], t.trashed(title || t.untitled));
    if (isGone) await navigate({ to: '/content/$type', params: { type: type.name }, search: USUAL });
  };
  const mayUnpublish = mayPublish && opened?.record.status === 'published';
  const unpublish = () => void publishing.unpublish();
  const discard = () => void publishing.discard();
  usePageActions(
    mayUnpublish && { label: t.unpublish, icon: 'hide', run: unpublish },
    hasDraft && { label: t.discard, icon: 'back', run: discard },
    mayDelete && { label: t.trash, icon: 'trash', run: () => void remove() },
  );
  return (
    <Menu position="bottom-end" shadow="md" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t.more} title={t.more}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayUnpublish && <Menu.Item onClick={unpublish}>{t.unpublish}</Menu.Item>}
        {hasDraft && <Menu.Item onClick={discard}>{t.discard}</Menu.Item>}
        {mayDelete && (
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => void remove()}>
            {t.trash}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
