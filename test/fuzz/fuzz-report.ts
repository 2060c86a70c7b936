import { table } from '../../src/cli/ops/table.ts';
import type { FuzzOutcome, Tally } from './fuzz-api.ts';
import { asCurl } from './fuzz-request.ts';

/** How each operation was answered, and each finding as a command that shows it. */
export function renderFuzz(outcome: FuzzOutcome, apiUrl: string, seed: number): string {
  const { tallies, findings, refusedChecked, neverReached, unsaid } = outcome;
  const counts = [...tallies].map(([id, one]) => [
    id,
    ...[one.requests, one.ok, one.refused, one.failed].map(String),
    neverReached.includes(id) ? 'NEVER REACHED' : '',
  ]);
  const found = findings.map(({ what, details, index, request }) =>
    [
      `\n${what}`,
      `request ${index === null ? 'sent again' : String(index)} of seed ${String(seed)}${request.broken === null ? '' : `: ${request.broken}`}`,
      asCurl(apiUrl, request),
      details,
    ].join('\n'),
  );
  return [
    table(['operation', 'requests', '2xx', '4xx', 'other', ''], counts),
    '',
    `${String(refusedChecked)} refused requests were sent again and left no trace`,
    ...unsaid.map((one) => `SKIPPED ${one}`),
    ...neverReached.map((id) => `${id} never answered with success: ${codesOf(tallies.get(id))}`),
    `${String(findings.length)} findings, seed ${String(seed)}`,
    ...found,
  ].join('\n');
}

const codesOf = (tally: Tally | undefined): string =>
  [...(tally?.codes ?? [])].map(([code, count]) => `${code} ${String(count)}`).join(', ');

/** Whether a run shows that all is well. */
export const isClean = ({ findings, neverReached }: FuzzOutcome): boolean =>
  findings.length === 0 && neverReached.length === 0;
