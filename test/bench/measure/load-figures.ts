import { figure, type Figure } from '../figure.ts';
import type { PartUsage } from '../processes/usage.ts';
import { percentile } from '../statistics.ts';
import type { PayoutLoad } from './payout-run.ts';

const MB = 1_048_576;

/**
 * Rates: all payments by the time from the first POST to the last 201, the bank's last answer and the
 * last announcement. Nothing is trimmed, so a backlog that is worked off later counts.
 */
export function rateFigures(load: PayoutLoad): {
  readonly accepted: Figure;
  readonly settled: Figure;
  readonly announced: Figure;
} {
  const { accepted, settledAtMs, announcedAtMs } = load;
  const startedAtMs = Math.min(...accepted.map(({ postedAtMs }) => postedAtMs));
  const rate = (moments: Iterable<number>) => {
    const lastMs = [...moments].reduce((last, at) => Math.max(last, at), 0);
    return (accepted.length / (lastMs - startedAtMs)) * 1_000;
  };
  const acceptedAtMs = accepted.map((one) => one.acceptedAtMs);
  return {
    accepted: figure.rate('accepted', 'payments accepted', rate(acceptedAtMs)),
    settled: figure.rate('settled', 'payments settled at the bank', rate(settledAtMs)),
    announced: figure.rate('announced', 'payments announced', rate(announcedAtMs.values())),
  };
}

/** How long a partner waits for the 201, and from then on for `payment.completed`. */
export function latencyFigures({ accepted, announcedAtMs }: PayoutLoad): Figure[] {
  const answers = accepted.map(({ postedAtMs, acceptedAtMs }) => acceptedAtMs - postedAtMs);
  const announcements = accepted.map(
    ({ id, acceptedAtMs }) => (announcedAtMs.get(id) ?? NaN) - acceptedAtMs,
  );
  const both = (key: string, label: string, values: readonly number[]) =>
    [50, 99].map((percent) => {
      const name = `p${String(percent)}`;
      return figure.latency(`${key}-${name}`, `${label}, ${name}`, percentile(values, percent));
    });
  return [
    ...both('answer', '201 after', answers),
    ...both('announced', 'announced after the 201', announcements),
  ];
}

/** Processor time for one payout, part by part, and all of the system's parts together. */
export function cpuFigures({ accepted, before, after }: PayoutLoad): Figure[] {
  const used = before.map(({ name, cpuMs }) => {
    const end = after.find((one) => one.name === name)?.cpuMs ?? NaN;
    return { name, ms: (end - cpuMs) / accepted.length };
  });
  const own = used.filter(({ name }) => !['bank', 'receiver', 'clients'].includes(name));
  const all = own.reduce((sum, { ms }) => sum + ms, 0);
  return [
    figure.cpu('cpu', "CPU per payout, the system's parts", all),
    ...used.map(({ name, ms }) => figure.cpu(`cpu-${name}`, `CPU per payout, ${name}`, ms)),
  ];
}

/** Memory of each part before and after the load. */
export function memoryFigures({ before, after }: PayoutLoad): Figure[] {
  const ofMoment = (moment: string, usages: readonly PartUsage[]) =>
    usages.map(({ name, memoryBytes }) =>
      figure.memory(`memory-${name}-${moment}`, `memory of ${name}, ${moment}`, memoryBytes / MB),
    );
  return [...ofMoment('before', before), ...ofMoment('after', after)];
}
