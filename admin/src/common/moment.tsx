import { exactTime, relativeTime } from './time.js';

/** A moment as people say it, with the exact one for those who point at it. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, Date.now())}
    </time>
  );
}
