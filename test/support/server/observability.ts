import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export const OBSERVABILITY = resolve(import.meta.dirname, '../../../deploy/observability');

const read = (file: string): string => readFileSync(resolve(OBSERVABILITY, file), 'utf8');

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook_url?: string };
}

interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

export const readRules = (): Rule[] =>
  (
    parse(read('rules.yml')) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
  ).groups.flatMap(({ rules }) => rules);

/** Cases of alerts: the alert's name, and whether it fires. */
export const readRuleTests = (): { readonly alert: string; readonly fires: boolean }[] =>
  (parse(read('rules.test.yml')) as { readonly tests: readonly RuleTest[] }).tests
    .flatMap((one) => one.alert_rule_test)
    .map(({ alertname, exp_alerts }) => ({ alert: alertname, fires: exp_alerts.length > 0 }));

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

export const readPanelQueries = (): string[] =>
  (JSON.parse(read('dashboard.json')) as { readonly panels: readonly Panel[] }).panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr);

/** Names of metrics in a query: neither functions and labels, nor what rules record. */
export const metricsIn = (query: string): string[] =>
  [...query.matchAll(/\b(?:causeway|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  );
