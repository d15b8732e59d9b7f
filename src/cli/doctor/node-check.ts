import { packageFacts } from '../../common/package-facts.js';
import type { Check } from './check.js';

export const nodeCheck: Check<string> = {
  name: 'node',
  look(version) {
    const oldest = packageFacts().engines.node.replace('>=', '');
    const ok = version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
    return [{ ok, message: ok ? version : `This is Node ${version}. Install ${oldest} or later.` }];
  },
};
