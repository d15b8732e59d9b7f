import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { startTestApp } from '../support/test-app.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string; readonly record?: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** Those of servers, which a file has not. */
const OF_SERVERS = ['cms_db_breaker', 'cms_db_connections'];
const SUFFIX = /_(?:bucket|count|sum)$/;

const rules = (parse(readFileSync('deploy/prometheus/rules.yaml', 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync('deploy/grafana/content-service.json', 'utf8')) as Dashboard;
const expressions = [...rules, ...dashboard.panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);

/** Names of metrics in an expression: words with an underscore that are no function, label or recorded name. */
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/(?<![:\w$])(?:cms|http|nodejs|process)_\w+(?![:(])/g)].map(([name]) => name);

/** Names of metrics as they are declared. */
const declaredNames = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(/'(cms_[a-z_]*[a-z])'/g)])
  .map(([, name = '']) => name);
const documented = [
  ...readFileSync('docs/operate/observe.md', 'utf8').matchAll(/(?<=^\|.*`)cms_[a-z_]+(?=`.*\|$)/gm),
].map(([name]) => name);
/** Cookies, which have such names too. */
const COOKIES = ['cms_device', 'cms_link', 'cms_refresh', 'cms_short'];

describe('The metrics of docs/operate/observe.md', () => {
  it('are those that are declared', () => {
    const declared = [...new Set(declaredNames)].filter((name) => !COOKIES.includes(name));

    expect(documented.length).toBeGreaterThan(10);
    expect(declared.filter((name) => !documented.includes(name))).toEqual([]);
    expect(documented.filter((name) => !declared.includes(name))).toEqual([]);
  });
});

describe('Dashboards and alerts', () => {
  it('ask for metrics that there are', async () => {
    const test = await startTestApp({ METRICS_PORT: '0' });
    const text = await test.app.get(Registry).metrics();
    await test.close();
    const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    const isThere = (name: string): boolean =>
      declared.some(
        (metric) => metric.name === name || (metric.type === 'histogram' && metric.name === name.replace(SUFFIX, '')),
      );

    const asked = [...new Set(expressions.flatMap(namesIn))].filter(
      (name) => process.env.TEST_DATABASE_URL !== undefined || !OF_SERVERS.includes(name),
    );

    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((name) => !isThere(name))).toEqual([]);
  });

  it('ask for metrics that the operations page has', () => {
    const asked = [...new Set(expressions.flatMap(namesIn))].filter((name) => name.startsWith('cms_'));

    expect(asked.filter((name) => !documented.includes(name.replace(SUFFIX, '')))).toEqual([]);
  });

  it('use rates that are recorded', () => {
    const recorded = rules.flatMap(({ record }) => record ?? []);
    const used = expressions.flatMap((expression) => expression.match(/content_service:[\w:]+/g) ?? []);

    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !recorded.includes(name))).toEqual([]);
  });
});
