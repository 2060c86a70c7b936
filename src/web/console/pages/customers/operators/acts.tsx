import type { OperatorRow } from '../../../../../db/customers/operator-list-store.ts';
import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import {
  CONFIRM_OPERATOR,
  DISABLE_OPERATOR,
  REMOVE_OPERATOR_PASSKEYS,
  REMOVE_OWNER_PASSKEYS,
} from '../../../../../modules/operations/acts/person-acts.ts';
import { actPage, type ActPage } from '../../../acts/act-page.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';

const OPERATOR = {
  current: '/operators',
  trail: ({ id }: OperatorRow) => ({ href: '/operators', text: 'Operators', here: id }),
  facts: (
    { id, name, role }: OperatorRow,
    _values: unknown,
    { deps: { vault } }: { readonly deps: ConsoleDeps },
  ) => (
    <p>
      {vault.open(name, personNameRow(id)).toString()} ({role.toLowerCase()})
    </p>
  ),
};

export const OPERATOR_ACT_PAGES: readonly ActPage[] = [
  actPage(DISABLE_OPERATOR, OPERATOR),
  actPage(CONFIRM_OPERATOR, OPERATOR),
  actPage(REMOVE_OPERATOR_PASSKEYS, OPERATOR),
  actPage(REMOVE_OWNER_PASSKEYS, {
    current: '/customers',
    trail: ({ id, customerId }) => ({
      ...{ href: `/customers/${customerId}`, text: 'Customer', here: id },
    }),
    facts: ({ id, customerId }) => (
      <p>
        Owner {id} of customer {customerId}.
      </p>
    ),
  }),
];
