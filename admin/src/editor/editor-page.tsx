import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { Notice } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';
import { may } from '../model.js';
import { meQuery, typesQuery } from '../queries.js';
import { session } from '../service.js';
import { Lost } from '../shell/lost.js';
import { words } from '../words.js';
import type { Editing } from './saving/editing.js';
import { openEditing } from './saving/editings.js';
import { Editor } from './editor.js';
import classes from './editor.module.css';

/** A record, new or opened. */
export function EditorPage() {
  const { type, id } = useParams({ from: '/inside/content/$type/$id' });
  const me = useQuery(meQuery).data;
  const isForOthers = id === 'new' && me !== undefined && !may(me, 'records:create', type);
  return isForOthers ? <Notice icon="alert" title={words.editor.notYours} /> : <RecordAt name={type} id={id} />;
}

function RecordAt({ name, id }: { readonly name: string; readonly id: string }) {
  const types = useQuery(typesQuery);
  const type = types.data?.find((one) => one.name === name);
  const { editing, error, retry } = useEditing(name, id);
  // What is there stays, though it cannot be read anew at the moment.
  const failure = error ?? (types.data ? null : types.error);
  if (failure !== null) return <Failed type={name} id={id} error={failure} onRetry={retry} />;
  if (types.data && !type) return <Lost />;
  if (!type || !editing) return <Waiting />;
  return <Editor key={editing.key} type={type} editing={editing} />;
}

const loadLeftTexts = () => import('./left-texts.js');

interface FailedProps {
  readonly type: string;
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** The reason why a record cannot be opened, and the texts for it on this device. */
function Failed({ type, id, error, onRetry }: FailedProps) {
  const me = useQuery(meQuery).data;
  const { code } = useLoaded(loadLeftTexts);
  return (
    <>
      <FailedNotice title={words.editor.failed} error={error} onRetry={onRetry} />
      {code && me && id !== 'new' && <code.LeftTexts type={type} id={Number(id)} user={me.user.id} />}
    </>
  );
}

function Waiting() {
  return (
    <div className={classes.waiting} role="status" aria-label={words.loading}>
      <Skeleton height={36} width="60%" mb={32} />
      {[92, 98, 84, 95, 60].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} mb={14} />
      ))}
    </div>
  );
}

/** The record at an address. One that has just been saved for the first time is the same as before, at another address. */
function useEditing(type: string, id: string) {
  const navigate = useNavigate();
  const me = useQuery(meQuery).data;
  const [editing, setEditing] = useState<Editing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const present = editing?.isAt(type, id) === true ? editing : null;

  useEffect(() => {
    if (present || !me) return undefined;
    let isLeft = false;
    setError(null);
    openEditing({ type, id, user: me.user.id, seesDrafts: may(me, 'drafts:read', type) }).then(
      (opened) => isLeft || setEditing(opened),
      (reason: unknown) => isLeft || setError(reason),
    );
    return () => {
      isLeft = true;
    };
  }, [type, id, tries, present, me]);

  // A record that could not be read without a session.
  useEffect(() => session.listen((event) => event === 'opened' && setTries((n) => n + 1)), []);

  useEffect(
    () =>
      editing?.subscribe(() => {
        const saved = editing.read().opened?.record.id;
        if (id === 'new' && saved !== undefined) {
          void navigate({ to: '/content/$type/$id', params: { type, id: String(saved) }, replace: true });
        }
      }),
    [editing, type, id, navigate],
  );

  return { editing: present, error, retry: () => setTries((n) => n + 1) };
}
