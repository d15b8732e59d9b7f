import { useLoaded } from '../../../common/use-loaded.js';
import type { FindBarProps } from './find-bar.js';

const load = () => import('./find-bar.js');

/** The search of the body, whose code is loaded when it is opened. */
export function FindLoader(props: FindBarProps) {
  const { code } = useLoaded(load);
  return code && <code.FindBar {...props} />;
}
