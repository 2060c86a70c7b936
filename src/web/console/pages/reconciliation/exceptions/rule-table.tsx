import {
  EXCEPTION_RULES,
  RULE_CONDITIONS,
} from '../../../../../domain/reconciliation/exceptions/exception-rules.ts';
import { Table } from '../../../../kit/parts/table.tsx';

/** Every rule as operators read it. */
export const RuleTable = () => (
  <Table
    label="Rules"
    rows={EXCEPTION_RULES}
    keyOf={({ name }) => name}
    columns={[
      { title: 'Rule', cell: ({ name }) => <code>{name}</code> },
      { title: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
      {
        title: 'If',
        cell: ({ when }) => when.map((one) => RULE_CONDITIONS[one]).join('; ') || '–',
      },
      {
        title: 'Act',
        cell: ({ act, account }) => (account === null ? act : `${act} to ${account}`),
      },
      {
        title: 'At most, and in a day',
        cell: ({ limits }) =>
          limits === null
            ? 'Moves no money'
            : Object.entries(limits)
                .map(([currency, { each, day }]) => `${each} and ${day} ${currency}`)
                .join('; '),
      },
    ]}
  />
);
