import { useFocusBack } from '../common/use-focus-back.js';
import { useLoaded } from '../common/use-loaded.js';

const load = () => import('../sign-in/sign-in-again.js');

/** The dialog that opens a session again, whose code is loaded when one has ended. The focus returns to what had it. */
export function SignInAgainLoader() {
  const { code } = useLoaded(load);
  useFocusBack();
  return code && <code.SignInAgain />;
}
