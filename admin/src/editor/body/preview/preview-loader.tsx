import { Skeleton } from '@mantine/core';
import { FailedNotice } from '../../../common/failed-notice.js';
import { UNREACHABLE } from '../../../common/failure.js';
import { useLoaded } from '../../../common/use-loaded.js';
import { words } from '../../../words.js';
import type { PreviewProps } from './preview.js';

const load = () => import('./preview.js');

/** The preview, whose code is loaded when it is looked at. */
export function PreviewLoader(props: PreviewProps) {
  const { code, isFailed, retry } = useLoaded(load);
  if (code) return <code.Preview {...props} />;
  if (isFailed) return <FailedNotice title={words.writing.noPreview} error={UNREACHABLE} onRetry={retry} />;
  return (
    <div role="status" aria-label={words.loading}>
      {[94, 88, 97, 62].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} mb={14} />
      ))}
    </div>
  );
}
