/** What a figure is about; figures of one kind share a part of the table and a scale of the chart. */
export type FigureKind = 'rate' | 'ratio' | 'latency' | 'cpu' | 'memory' | 'cost' | 'count';

/** One number of a run. */
export interface Figure {
  /** The same in every run of a command: by it runs are compared. */
  readonly key: string;
  readonly label: string;
  readonly kind: FigureKind;
  /** '/s', 'ms', 'MB', 'x'; empty for a number of things. */
  readonly unit: string;
  readonly value: number;
}

/** Makes a figure of a kind with the unit that the kind has. */
export const figure = {
  /** Things per second. */
  rate: (key: string, label: string, value: number): Figure => of('rate', '/s', key, label, value),
  /** One rate by another. */
  ratio: (key: string, label: string, value: number): Figure => of('ratio', 'x', key, label, value),
  /** How long something takes, in ms. */
  latency: (key: string, label: string, value: number): Figure =>
    of('latency', 'ms', key, label, value),
  /** Processor time for one thing, in ms. */
  cpu: (key: string, label: string, value: number): Figure => of('cpu', 'ms', key, label, value),
  /** MB (1,048,576 bytes). */
  memory: (key: string, label: string, value: number): Figure =>
    of('memory', 'MB', key, label, value),
  /** What one payment costs in things that do not depend on the machine. */
  cost: (key: string, label: string, value: number): Figure => of('cost', '', key, label, value),
  /** How many there were. */
  count: (key: string, label: string, value: number): Figure => of('count', '', key, label, value),
};

const of = (kind: FigureKind, unit: string, key: string, label: string, value: number): Figure => ({
  key,
  label,
  kind,
  unit,
  value,
});
