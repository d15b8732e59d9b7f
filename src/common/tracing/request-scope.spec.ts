import { sampledParent, traceParent } from './request-scope.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${PARENT}-01`, true],
    [`00-${TRACE}-${PARENT}-00`, false],
    [`00-${TRACE}-${PARENT}-03`, true],
    [`00-${TRACE}-${PARENT}-02`, false],
    [`cc-${TRACE}-${PARENT}-01`, true],
    [`cc-${TRACE}-${PARENT}-01-more`, true],
  ])('is taken as %s, sampled: %s', (text, isSampled) => {
    expect(traceParent(text)).toEqual({ traceId: TRACE, spanId: PARENT, isSampled, text });
  });

  it('is read by others as it is sent', () => {
    const sent = sampledParent(TRACE, PARENT);

    expect(traceParent(sent.text)).toEqual(sent);
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
