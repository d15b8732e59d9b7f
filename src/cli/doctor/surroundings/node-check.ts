import { packageInfo } from '../../../common/package-info.js';
import type { Check } from '../check.js';

export const nodeCheck: Check<string> = {
  name: 'node',
  look(version) {
    const oldest = packageInfo().engines.node.replace('>=', '');
    const ok = version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
    return [{ ok, message: ok ? version : `This is Node ${version}. Install ${oldest} or later.` }];
  },
};
