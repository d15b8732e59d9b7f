import { Registry } from 'prom-client';
import { metricsOf } from '../../../test/support/metric-text.js';
import { readGauge } from './read-gauge.js';

describe('A gauge', () => {
  let registry: Registry;

  beforeEach(() => (registry = new Registry()));

  type Read = Parameters<typeof readGauge<'state'>>[1];
  const declare = (name: string, read: Read, labelNames: 'state'[] = []): void => {
    readGauge({ name, help: 'Something.', labelNames, registers: [registry] }, read);
  };
  const shown = async () => metricsOf(await registry.metrics());

  it('is read each time that it is shown', async () => {
    let value = 0;
    declare('count', () => (value += 1));

    expect(await shown()).toEqual([{ name: 'count', labels: {}, value: 1 }]);
    expect(await shown()).toEqual([{ name: 'count', labels: {}, value: 2 }]);
  });

  it('shows the labels that are there now, and no former ones', async () => {
    const states = ['old', 'new'];
    declare('states', () => [{ labels: { state: states.shift() ?? '' }, value: 1 }], ['state']);

    expect(await shown()).toMatchObject([{ labels: { state: 'old' } }]);
    expect(await shown()).toMatchObject([{ labels: { state: 'new' } }]);
  });

  it('has no value if it cannot be read or takes longer than two seconds, while others have theirs', async () => {
    declare('refused', () => Promise.reject(new Error('refused')));
    declare('thrown', () => {
      throw new Error('thrown');
    });
    declare('hanging', () => new Promise<number>(() => undefined));
    declare('empty', () => []);
    declare('good', () => 7);

    expect(await shown()).toEqual([{ name: 'good', labels: {}, value: 7 }]);
  });
});
