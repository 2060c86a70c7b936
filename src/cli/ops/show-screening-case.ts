import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { partyOf } from '../../modules/parties/screening/case-party.ts';
import { SHOW_CASE } from '../../modules/operations/acts/screening-acts.ts';
import { runAct } from '../../modules/operations/acts/operator-act.ts';
import type { CasePersonal } from '../../modules/parties/screening/case-personal.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { actDeps } from './perform-act.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** One case with the names that were looked up and the entries that they hit. Who looked is audited. */
export async function showScreeningCase(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await SHOW_CASE.subject.find(actDeps(deps), id);
  if (row === null) throw new PlainError(SHOW_CASE.subject.missing(id));
  const { customerId, environment } = row;
  const outcome = await runAct(SHOW_CASE, actDeps(deps), { subject: row, values: {}, act });
  if (outcome.kind !== 'SHOWN') throw new Error('a look shows the case');
  const seen = outcome.shown as CasePersonal | null;
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
