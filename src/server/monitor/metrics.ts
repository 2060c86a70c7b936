import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { assertNever } from '../../domain/assert-never.ts';
import type { Happening } from '../../domain/happening.ts';
import type { Environment } from '../../domain/scope.ts';
import {
  COUNTERS,
  GAUGES,
  HISTOGRAMS,
  type GaugeName,
  type HistogramText,
  type MetricText,
} from './metric-list.ts';

type LabelsOf<Text extends MetricText> = {
  readonly [Name in keyof Text['labels']]: Text['labels'][Name][number] & string;
};

type Counters = typeof COUNTERS;
type Histograms = typeof HISTOGRAMS;

/** One value of a gauge. */
export interface GaugeValue {
  readonly gauge: GaugeName;
  /** All of the gauge's, with values of its list. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a process measures of its own work. */
export interface Metrics {
  count<Name extends keyof Counters>(name: Name, labels: LabelsOf<Counters[Name]>): void;
  /** A duration in seconds. */
  observe<Name extends keyof Histograms>(
    name: Name,
    labels: LabelsOf<Histograms[Name]>,
    seconds: number,
  ): void;
  /** Sets these values of gauges, and takes away all others of the same gauges. */
  setGauges(names: readonly GaugeName[], values: readonly GaugeValue[]): void;
  /** What Prometheus reads. */
  text(): Promise<string>;
  /** From now on the process's memory, processor time, and event loop are measured. It costs a timer. */
  measureProcess(): void;
}

interface Kinds {
  readonly counters: Readonly<Record<keyof Counters, Counter>>;
  readonly histograms: Readonly<Record<keyof Histograms, Histogram>>;
  readonly gauges: Readonly<Record<GaugeName, Gauge>>;
}

/** A registry of its own, so that two of one process (in tests) know nothing of each other. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const { counters, histograms, gauges } = createKinds(registry);
  return {
    count(name, labels) {
      counters[name].inc(labels);
    },
    observe(name, labels, seconds) {
      histograms[name].observe(labels as Readonly<Record<string, string>>, Math.max(0, seconds));
    },
    setGauges(names, values) {
      for (const name of names) gauges[name].reset();
      for (const { gauge, labels, value } of values) gauges[gauge].set(labels, value);
    },
    text: () => registry.metrics(),
    measureProcess() {
      measure(registry);
    },
  };
}

/** The event loop is measured by a timer. The library's 10 ms would keep an idle process awake. */
const LOOP_SAMPLE_MS = 100;

function measure(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
}

/** The text of a registry that measures the process alone. */
export function processMetrics(): () => Promise<string> {
  const registry = new Registry();
  measure(registry);
  return () => registry.metrics();
}

function createKinds(registry: Registry): Kinds {
  const registers = [registry];
  const of = <Name extends string, Text extends MetricText, Made>(
    texts: Readonly<Record<Name, Text>>,
    make: (text: Text) => Made,
  ) =>
    Object.fromEntries(
      Object.entries<Text>(texts).map(([name, text]) => [name, make(text)]),
    ) as Record<Name, Made>;
  return {
    counters: of(COUNTERS, (text: MetricText) => {
      const counter = new Counter({ ...named(text), registers });
      // What was never counted is 0 and not absent: a rate over it is right from the first increase on.
      for (const labels of allLabels(text)) counter.inc(labels, 0);
      return counter;
    }),
    histograms: of(HISTOGRAMS, (text: HistogramText) => {
      const histogram = new Histogram({ ...named(text), buckets: [...text.buckets], registers });
      for (const labels of allLabels(text)) histogram.zero(labels);
      return histogram;
    }),
    gauges: of(GAUGES, (text: MetricText) => new Gauge({ ...named(text), registers })),
  };
}

const named = ({ name, help, labels }: MetricText) => ({
  ...{ name, help },
  labelNames: Object.keys(labels),
});

/** Every combination of the values of a metric's labels. */
function allLabels({ labels }: MetricText): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) =>
      all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

/** Counts what a committed transaction brought about. */
export function countHappening(
  metrics: Pick<Metrics, 'count' | 'observe'>,
  environment: Environment,
  happening: Happening,
): void {
  switch (happening.kind) {
    case 'PAYMENT_ACCEPTED':
      metrics.count('paymentsAccepted', { environment });
      break;
    case 'PAYMENT_CLAIMED':
      metrics.observe('claimDelay', { environment }, happening.afterMs / 1_000);
      break;
    case 'PAYMENT_FINISHED': {
      const { outcome, afterMs } = happening;
      metrics.count('paymentsFinished', { environment, outcome });
      if (outcome === 'COMPLETED' && afterMs !== null) {
        metrics.observe('settleDuration', { environment }, afterMs / 1_000);
      }
      break;
    }
    case 'OUTCOME_UNKNOWN':
      metrics.count('outcomesUnknown', { environment });
      break;
    default:
      assertNever(happening);
  }
}
