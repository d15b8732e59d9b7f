import { Button } from '@mantine/core';
import { Notice } from '../common/notice.js';
import { place } from '../place.js';
import { words } from '../words.js';

/** Leads to the address at which the browser may keep a session. */
export function Elsewhere() {
  const [home = ''] = place.origins;
  const address = home + window.location.pathname + window.location.search;
  return (
    <main>
      <Notice
        icon="open"
        title={words.elsewhere.title}
        actions={
          <Button component="a" href={address}>
            {words.elsewhere.go(new URL(home).host)}
          </Button>
        }
      >
        <p>{words.elsewhere.text(home)}</p>
        <p>{words.elsewhere.hint}</p>
      </Notice>
    </main>
  );
}
