import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { partyOf } from '../../modules/parties/screening/case-party.ts';
import { lookAtCase } from '../../modules/parties/screening/look-at-case.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { findCase } from './find-case.ts';
import { table } from './table.ts';

/** One case with the names that were looked up and the entries that they hit. Who looked is audited. */
export async function showScreeningCase(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await findCase(deps, id);
  const { customerId, environment } = row;
  const seen = await lookAtCase(deps, row, act);
  if (seen === null) throw new PlainError(`The end-user of ${id} was erased.`);
  const { subjects, hits } = seen;
  const lines = [
    `${id}  ${row.outcome ?? 'OPEN'}  since ${row.openedAt.toISOString()}`,
    `customer ${customerId} (${environment}), party ${partyOf(row).id}`,
    `list ${row.listVersion}`,
    ...(row.outcome === null ? [] : [`decided by ${row.decidedBy ?? '-'}: ${row.reason ?? '-'}`]),
    '',
    table(
      ['name', 'kind', 'born', 'country', 'entry', 'listed as', 'score'],
      subjects.flatMap((subject) => {
        const own = hits.filter(({ reference }) => reference === subject.reference);
        const about = [
          subject.names.join(' / '),
          subject.kind,
          subject.dateOfBirth ?? '-',
          subject.country ?? '-',
        ];
        if (own.length === 0) return [[...about, '-', '-', '-']];
        return own.map((hit) => [...about, hit.entryId, hit.name ?? '-', String(hit.score)]);
      }),
    ),
  ];
  deps.print(lines.join('\n'));
  return 0;
}
