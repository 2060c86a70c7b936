import type { CasePersonal } from '../../../../../modules/parties/screening/case-personal.ts';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';

/** The names that were looked up beside the entries that they hit; shown once, to who gave a reason. */
export const CaseNames = ({
  id,
  seen,
}: {
  readonly id: string;
  readonly seen: CasePersonal | null;
}) => {
  const rows = (seen?.subjects ?? []).flatMap((subject) => {
    const hits = (seen?.hits ?? []).filter(({ reference }) => reference === subject.reference);
    return (hits.length === 0 ? [null] : hits).map((hit) => ({ subject, hit }));
  });
  return (
    <>
      <PageHead
        title="Names of a case"
        about="These names are shown once. The audit log says that you saw them."
        trail={{ href: `/reviews/${id}`, text: 'Case', here: id }}
      />
      {rows.length === 0 ? (
        <EmptyState title="No names">The end-user’s data was erased.</EmptyState>
      ) : (
        <div class="card card-flush">
          <Table
            label="Names"
            rows={rows}
            keyOf={({ subject, hit }) => `${subject.reference} ${hit?.entryId ?? ''}`}
            columns={[
              { title: 'Name', cell: ({ subject }) => subject.names.join(' / ') },
              { title: 'Date of birth', cell: ({ subject }) => subject.dateOfBirth ?? '–' },
              { title: 'Country', cell: ({ subject }) => subject.country ?? '–' },
              { title: 'Listed as', cell: ({ hit }) => hit?.name ?? '–' },
              { title: 'Entry', cell: ({ hit }) => hit?.entryId ?? '–' },
              {
                title: 'Score',
                isNumber: true,
                cell: ({ hit }) => (hit === null ? '–' : String(hit.score)),
              },
            ]}
          />
        </div>
      )}
    </>
  );
};
