import { traceHeader, traceParent } from './request-scope.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${PARENT}-01`, 1],
    [`00-${TRACE}-${PARENT}-00`, 0],
    [`00-${TRACE}-${PARENT}-03`, 3],
    [`00-${TRACE}-${PARENT}-02`, 2],
    [`00-${TRACE}-${PARENT}-ff`, 3],
    [`cc-${TRACE}-${PARENT}-01`, 1],
    [`cc-${TRACE}-${PARENT}-01-more`, 1],
  ])('is taken as %s, and goes on in the first version with the flags that this has', (text, traceFlags) => {
    const found = traceParent(text);

    expect(found).toEqual({ traceId: TRACE, spanId: PARENT, traceFlags, isRemote: true });
    expect(found && traceHeader(found)).toBe(text.replace('-more', '').replace('cc-', '00-').replace(/ff$/, '03'));
  });

  it.each([
    undefined,
    '',
    'x',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `cc-${TRACE}-${PARENT}-01-${'x'.repeat(401)}`,
    `00-${TRACE}-${PARENT}-01\n`,
  ])('is not taken as %j', (text) => {
    expect(traceParent(text)).toBeNull();
  });
});
