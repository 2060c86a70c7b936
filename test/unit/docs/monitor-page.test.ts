import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import {
  COUNTERS,
  GAUGES,
  HISTOGRAMS,
  type MetricText,
} from '../../../src/server/monitor/metric-list.ts';
import { createMetrics } from '../../../src/server/monitor/metrics.ts';
import {
  metricsIn,
  readPanelQueries,
  readRules,
  readRuleTests,
} from '../../support/server/observability.ts';
import { readScrape } from '../../support/server/scrape.ts';

const docs = (file: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../../docs', file), 'utf8');

const rules = readRules();
const alerts = rules.flatMap(({ alert }) => alert ?? []);

it('the page lists every metric with its type, labels and meaning', () => {
  const rows = (type: string, texts: Readonly<Record<string, MetricText>>) =>
    Object.values(texts).map(({ name, help, labels }) => {
      const names = Object.keys(labels).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${names.join(', ')} | ${help} |`;
    });
  const wanted = [
    ...rows('counter', COUNTERS),
    ...rows('histogram', HISTOGRAMS),
    ...rows('gauge', GAUGES),
  ];
  const listed = docs('how-to/monitor.md')
    .split('\n')
    .filter((line) => line.startsWith('| `causeway_'))
    .map((line) => line.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| '));
  expect(listed).toEqual(wanted.map((line) => line.replaceAll(/\| +/g, '| ')));
});

it('the page lists every alert', () => {
  const listed = docs('how-to/monitor.md')
    .split('\n')
    .flatMap((line) => /^\| `(Causeway\w+)`/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(alerts);
});

it('every alert names a runbook that is there', () => {
  const runbooks = docs('how-to/runbooks.md')
    .split('\n')
    .flatMap((line) => /^#+ (.*)/.exec(line)?.[1] ?? [])
    .map((title) => `docs/how-to/runbooks.md#${title.toLowerCase().replaceAll(' ', '-')}`);
  const named = rules.flatMap(({ alert, annotations }) =>
    alert === undefined ? [] : [[alert, annotations?.runbook_url ?? 'none']],
  );
  expect(named.filter(([, url]) => !runbooks.includes(url ?? ''))).toEqual([]);
});

it('every alert has a case in which it fires and one in which it is silent', () => {
  const cases = readRuleTests();
  const kinds = alerts.map((name) =>
    [true, false].every((fires) => cases.some((one) => one.alert === name && one.fires === fires)),
  );
  expect(alerts.filter((_name, index) => kinds[index] !== true)).toEqual([]);
});

it('every metric that a rule or the dashboard names is exported', async () => {
  const metrics = createMetrics();
  metrics.measureProcess();
  const exported = readScrape(await metrics.text()).names;
  const named = [...rules.map(({ expr }) => expr), ...readPanelQueries()].flatMap(metricsIn);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

it('every value that a rule asks a label for can be exported', () => {
  const known = new Map<string, Set<string>>();
  for (const { labels } of Object.values<MetricText>({ ...COUNTERS, ...HISTOGRAMS, ...GAUGES })) {
    for (const [label, values] of Object.entries(labels)) {
      known.set(label, new Set([...(known.get(label) ?? []), ...values]));
    }
  }
  const asked = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/\b(\w+)(?:=~|!~|!=|=)"([^"]+)"/g)].flatMap(([, label = '', values = '']) =>
      values.split('|').map((value) => [label, value] as const),
    ),
  );
  const unknown = asked.filter(
    ([label, value]) => !['le', 'job'].includes(label) && known.get(label)?.has(value) !== true,
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
