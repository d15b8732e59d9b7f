import { Button } from '@mantine/core';
import { Notice } from '../common/notice.js';
import { place } from '../place.js';
import { words } from '../words.js';

/** The start, as long as there is no content type to show. */
export function NoTypes() {
  return (
    <Notice
      icon="list"
      title={words.list.noTypes}
      actions={
        <Button component="a" href={`${place.serviceUrl}api/docs`}>
          {words.nav.api}
        </Button>
      }
    >
      {words.list.noTypesText}
    </Notice>
  );
}
