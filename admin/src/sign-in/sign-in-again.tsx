import { Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { methodsQuery } from '../queries.js';
import { session } from '../service.js';
import { words } from '../words.js';
import { CodeForm } from './code-form.js';
import classes from './sign-in.module.css';
import { WaysForm } from './ways-form.js';

const t = words.signIn;
/** Above every other dialog. */
const TOP = 300;

/** The sign-in over a page whose session has ended. It closes when there is one again, opened here or in another tab. */
export function SignInAgain() {
  const email = session.client.user?.email ?? '';
  const methods = useQuery(methodsQuery);
  const [hasUnsaved] = useState(() => session.unsaved.has());
  const [mailed, setMailed] = useState<string | null>(null);
  const prove = session.signIn.bind(session);
  return (
    <Modal
      opened
      centered
      size={420}
      zIndex={TOP}
      title={t.ended}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      onClose={() => undefined}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
      classNames={{
        content: classes.again,
        header: classes.againHeader,
        title: classes.title,
        body: classes.againBody,
      }}
    >
      <p className={classes.againText}>{t.again(email, hasUnsaved)}</p>
      {methods.isLoading && <Loader size="sm" aria-label={words.loading} />}
      {methods.isLoadingError && (
        <FailedNotice title={words.editor.failed} error={methods.error} onRetry={() => void methods.refetch()} />
      )}
      {methods.data &&
        (mailed === null ? (
          <WaysForm methods={methods.data} again={email} prove={prove} onMailed={setMailed} />
        ) : (
          <CodeForm methods={methods.data} email={mailed} prove={prove} onBack={() => setMailed(null)} />
        ))}
    </Modal>
  );
}
