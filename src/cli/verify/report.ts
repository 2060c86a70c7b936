import type { Verdict } from './verdict.ts';

/** One line an invariant, then its first violations: `I4 ledger sums to zero ... 0 violations (12 checked)`. */
export function renderReport(verdicts: readonly Verdict[]): string {
  return verdicts.flatMap(renderVerdict).join('\n');
}

function renderVerdict(verdict: Verdict): string[] {
  const head = `${verdict.id} ${verdict.name} ...`;
  if (verdict.status === 'skipped') return [`${head} SKIPPED: ${verdict.why}`];
  const noun = verdict.violations === 1 ? 'violation' : 'violations';
  const more = verdict.violations - verdict.samples.length;
  return [
    `${head} ${verdict.violations} ${noun} (${verdict.checked} checked)`,
    ...verdict.samples.map(({ subject, problem }) => `    ${subject}: ${problem}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** The same for programs. `ok` says that nothing which was looked at is violated. */
export function renderJson(verdicts: readonly Verdict[]): string {
  const ok = verdicts.every((verdict) => verdict.status !== 'violated');
  return JSON.stringify({ ok, invariants: verdicts }, null, 2);
}
