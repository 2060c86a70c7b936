import type { Operator } from '../../../../domain/customers/access/person.ts';
import { APPROVAL_RIGHTS } from '../../../../domain/approvals/approval-rights.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import { hasRight } from '../../parts/act-links.tsx';

/** The owners of a customer who can log in, by ID, and the way to help one who lost every passkey. */
export const OwnersCard = ({
  owners,
  passkeys,
  operator,
}: {
  readonly owners: readonly { readonly id: string }[];
  /** How many passkeys they have, of those who have any. */
  readonly passkeys: ReadonlyMap<string, number>;
  readonly operator: Operator;
}) => (
  <Card title="Owners who can log in" aside={String(owners.length)} isFlush>
    <Table
      label="Owners"
      rows={owners}
      keyOf={({ id }) => id}
      columns={[
        { title: 'ID', cell: ({ id }) => <code>{id}</code> },
        { title: 'Passkeys', cell: ({ id }) => String(passkeys.get(id) ?? 0) },
        ...(hasRight(operator, APPROVAL_RIGHTS.REMOVE_PASSKEYS)
          ? [
              {
                title: 'Recovery',
                cell: ({ id }: { readonly id: string }) =>
                  passkeys.has(id) ? (
                    <a href={`/owners/${id}/lost-passkeys`}>Lost passkeys</a>
                  ) : (
                    '–'
                  ),
              },
            ]
          : []),
      ]}
    />
  </Card>
);
