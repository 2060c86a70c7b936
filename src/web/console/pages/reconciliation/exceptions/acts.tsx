import {
  DIFFERENCE_ACCOUNTS,
  EXCEPTION_ACTS,
} from '../../../../../domain/reconciliation/exceptions/exception-act.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import {
  APPLY_EXCEPTION_ACT,
  PROPOSE_EXCEPTION_SET,
  REVERSE_EXCEPTION_ACT,
} from '../../../../../modules/operations/acts/exception-acts.ts';
import type { ShownException } from '../../../../../modules/reconciliation/exceptions/find-shown-exception.ts';
import type { Suggestion } from '../../../../../modules/reconciliation/exceptions/suggest-act.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { SelectField } from '../../../../kit/parts/field.tsx';
import { actPage, type ActPage } from '../../../acts/act-page.tsx';
import { Coded } from '../../../parts/coded.tsx';
import { exceptionWords } from '../../../words/statement-words.ts';
import { RuleTable } from './rule-table.tsx';
import { EXCEPTIONS_PATH, exceptionHref } from './exception-href.ts';

const trailTo = (id: string) => ({ href: exceptionHref(id), text: 'Exception', here: id });

/** The open amount with its sign: negative left. */
export const openText = ({ open }: Pick<ShownException, 'open'>): string =>
  open === null ? 'Nothing' : `${formatAmount(open.minor, open.currency)} ${open.currency}`;

/** The act that a rule suggests, and why. */
export const suggestedText = (suggestion: Suggestion | null): string => {
  if (suggestion === null) return 'Nothing';
  const { act, account, name, why } = suggestion.rule;
  return `${act}${account === null ? '' : ` to ${account}`}. ${why} Rule: ${name}`;
};

export const EXCEPTION_ACT_PAGES: readonly ActPage[] = [
  actPage(APPLY_EXCEPTION_ACT, {
    current: EXCEPTIONS_PATH,
    trail: ({ id }) => trailTo(id),
    facts: (shown) => (
      <Facts
        facts={[
          ['Kind', <Coded {...exceptionWords(shown.exception)} />],
          ['The books lack', openText(shown)],
          ['Payment', shown.paymentId ?? 'The line names none'],
          ['A rule suggests', suggestedText(shown.suggestion)],
        ]}
      />
    ),
    fields: {
      act: ({ subject, value, problems }) => (
        <SelectField
          {...{ name: 'act', label: 'Act', problems }}
          value={value ?? subject.suggestion?.rule.act ?? ''}
          hint="Only acts that fit this exception."
          options={EXCEPTION_ACTS.filter((act) => subject.acts.includes(act)).map((act) => ({
            ...{ value: act, text: act },
          }))}
        />
      ),
      account: ({ subject, value, problems }) => (
        <SelectField
          {...{ name: 'account', label: 'Account of the platform', problems }}
          value={value ?? subject.suggestion?.rule.account ?? ''}
          hint="Where the amount goes that no customer gets or pays."
          options={['', ...Object.keys(DIFFERENCE_ACCOUNTS)].map((account) => ({
            ...{ value: account, text: account === '' ? 'None' : account },
          }))}
        />
      ),
    },
  }),
  actPage(PROPOSE_EXCEPTION_SET, {
    current: EXCEPTIONS_PATH,
    trail: () => ({ href: EXCEPTIONS_PATH, text: 'Exceptions', here: 'Propose' }),
    facts: () => <RuleTable />,
  }),
  actPage(REVERSE_EXCEPTION_ACT, {
    current: EXCEPTIONS_PATH,
    trail: ({ exceptionId }) => trailTo(exceptionId),
    facts: ({ id, act, exceptionId, paymentId }) => (
      <Facts
        facts={[
          ['Act', `${act} (${id})`],
          ['Exception', exceptionId],
          ['Payment', paymentId ?? 'None'],
        ]}
      />
    ),
  }),
];
