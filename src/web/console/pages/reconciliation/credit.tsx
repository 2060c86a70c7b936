import { Type } from 'typebox';
import {
  findIncomingCredit,
  isMarkedReturn,
  type IncomingCreditRow,
} from '../../../../db/ledger/incoming-credit-store.ts';
import { toExceptionPath } from '../../../../domain/reconciliation/exceptions/exception-path.ts';
import { creditFacts } from '../../../../modules/ledger/funding/assign-credit.ts';
import { APPLY_EXCEPTION_ACT } from '../../../../modules/operations/acts/exception-acts.ts';
import {
  ASSIGN_CREDIT,
  CLOSE_CREDIT,
  DISMISS_CREDIT,
  TIE_CREDIT,
} from '../../../../modules/operations/acts/reconciliation-acts.ts';
import { REVERSE_EXCEPTION_ACT } from '../../../../modules/operations/acts/exception-acts.ts';
import { findTradesOnCredits } from '../../../../db/ledger/cover-trade-store.ts';
import {
  findDecidedAlike,
  findShownReturn,
} from '../../../../db/reconciliation/booking-twin-store.ts';
import { listExceptionActs } from '../../../../db/reconciliation/exception-act-store.ts';
import { readCustomerNames } from '../../../../db/customers/customer-status-store.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { Coded } from '../../parts/coded.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { CustomerLink } from '../../parts/customer-link.tsx';
import { Lead } from '../../parts/lead.tsx';
import { momentOrDash } from '../../parts/moments.ts';
import { stepOf, WhatToDo, type Step } from '../../parts/what-to-do.tsx';
import { environmentWords } from '../../words/payment-fact-words.ts';
import { unmatchedWords } from '../../words/statement-words.ts';

export type ShownCredit = IncomingCreditRow & { readonly bankStatementId: string };

export async function loadCredit({ db }: ConsoleDeps, id: string): Promise<ShownCredit> {
  const credit = await db.system((tx) => findIncomingCredit(tx, id));
  if (credit === null) throw noSuchPage();
  return credit;
}

/** What is known of a credit: nothing of who paid. */
export const CreditFacts = ({
  credit,
  name,
}: {
  readonly credit: ShownCredit;
  /** The customer’s, where it is known. */
  readonly name?: string | undefined;
}) => (
  <Facts
    facts={[
      ['Amount', <Money {...creditFacts(credit)} />],
      ['Environment', environmentWords(credit.environment)],
      ['Why unmatched', <Coded {...unmatchedWords(credit.unmatchedReason)} />],
      ...(credit.resemblesCreditId === null
        ? []
        : [
            [
              'Resembles',
              <a href={`/reconciliation/credits/${credit.resemblesCreditId}`}>
                <code>{credit.resemblesCreditId}</code>
              </a>,
            ] as const,
          ]),
      ['Reference', credit.reference ?? '–'],
      ['Bank’s reference', credit.bankReference ?? '–'],
      ['Booked (UTC)', momentOrDash(credit.bookedAt)],
      [
        'Customer',
        credit.customerId === null ? '–' : <CustomerLink id={credit.customerId} name={name} />,
      ],
      [
        'Statement',
        <a href={`/statements/${String(credit.statementId)}`}>
          {`${credit.bankStatementId}, line ${String(credit.line)}`}
        </a>,
      ],
    ]}
  />
);

/** GET /reconciliation/credits/{id}: one credit of a statement, and what became of it. */
export function registerCredit(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get(
    '/reconciliation/credits/:id',
    { config: { right: 'see' }, schema },
    async (request, reply) => {
      const credit = await loadCredit(deps, request.params.id);
      const { customerId } = credit;
      const line = `${String(credit.statementId)}/${String(credit.line)}`;
      const { names, trade, ended, isReturn, shown, alike } = await deps.db.system(async (tx) => ({
        names: await readCustomerNames(tx, customerId === null ? [] : [customerId]),
        trade: (await findTradesOnCredits(tx, [credit.id])).get(credit.id) ?? null,
        ended: [
          ...(await listExceptionActs(tx, credit.id)),
          ...(await listExceptionActs(tx, line)),
        ].find(({ act, isReversed }) => act !== 'REVERSE' && !isReversed),
        isReturn: await isMarkedReturn(tx, credit.id),
        shown: await findShownReturn(tx, credit.id),
        alike: await findDecidedAlike(tx, credit.id),
      }));
      const known = { trade, isReturn, shown, isAlike: alike !== null };
      const isOpen = credit.outcome === null && credit.minor !== null;
      return sendConsolePage(request, reply, {
        title: 'Credit',
        current: '/reconciliation',
        body: (
          <>
            <PageHead
              title="Credit"
              trail={{ href: '/reconciliation', text: 'Reconciliation', here: credit.id }}
            >
              <Chip {...chipOf(credit)} />
            </PageHead>
            <Lead sentences={sentencesOf(credit)} />
            <WhatToDo
              operator={operatorOf(request)}
              recommended={isOpen ? recommendedFor(credit, known) : null}
              others={[
                ...(isOpen ? othersOf(credit, known) : []),
                ...(ended === undefined ? [] : [stepOf(REVERSE_EXCEPTION_ACT, ended.id)]),
              ]}
            />
            <Card title="Details">
              <CreditFacts credit={credit} name={names.get(customerId ?? '')} />
            </Card>
          </>
        ),
      });
    },
  );
}

interface KnownOfCredit {
  /** The cover trade whose reference the line bears. */
  readonly trade: string | null;
  /** The bank marks it as a return, on any report. */
  readonly isReturn: boolean;
  /** In words, which line of another report shows it as the return of a payment. */
  readonly shown: string | null;
  /** A credit that may be the same booking left suspense. */
  readonly isAlike: boolean;
}

function recommendedFor(credit: ShownCredit, { trade, isReturn, shown }: KnownOfCredit): Step {
  const { id, statementId, line } = credit;
  if (shown !== null) return stepOf(CLOSE_CREDIT, id, shown);
  if (isReturn) {
    const path = toExceptionPath(`${String(statementId)}/${String(line)}`);
    return stepOf(APPLY_EXCEPTION_ACT, path, RETURN_WHY);
  }
  return trade === null
    ? stepOf(ASSIGN_CREDIT, id, ASSIGN_WHY)
    : stepOf(
        TIE_CREDIT,
        id,
        `The line bears the reference of cover trade ${trade}. Tie it to that trade if the bank confirms it.`,
      );
}

function othersOf(
  { id, resemblesCreditId }: ShownCredit,
  { trade, isReturn, shown, isAlike }: KnownOfCredit,
): readonly Step[] {
  const dismiss = resemblesCreditId === null && !isAlike ? [] : [stepOf(DISMISS_CREDIT, id)];
  if (shown !== null) return dismiss;
  return [
    ...(isReturn || trade !== null ? [stepOf(ASSIGN_CREDIT, id, ASSIGN_WHY)] : []),
    ...(isReturn || trade !== null ? [] : [stepOf(TIE_CREDIT, id)]),
    ...dismiss,
    stepOf(CLOSE_CREDIT, id),
  ];
}

const RETURN_WHY =
  'First ask the bank which payment came back. Then name that payment. If it is the return of none, write it off.';

const ASSIGN_WHY =
  'First ask the bank or the customer who paid it. Assign it only if the customer can show the transfer. Money that is credited to the wrong customer can be paid out.';

const OUTCOMES: Readonly<Record<string, string>> = {
  ASSIGNED: 'Assigned to a customer',
  CREDITED: 'Credited to a customer',
  CLOSED: 'Closed',
  REVERSED: 'Reversed by the bank',
  TIED: 'Tied to a cover trade',
  RETURNED: 'Returned to the customer of a payment',
  WRITTEN_OFF: 'Written off',
};

const chipOf = ({ outcome }: ShownCredit) =>
  outcome === null
    ? ({ tone: 'wait', text: 'Unmatched' } as const)
    : ({ tone: 'ok', text: OUTCOMES[outcome] ?? outcome } as const);

function sentencesOf({ outcome, minor, unmatchedReason }: ShownCredit): readonly string[] {
  if (outcome !== null) return [`This credit is decided: ${OUTCOMES[outcome] ?? outcome}.`];
  return [
    `This credit belongs to no customer. ${unmatchedWords(unmatchedReason).words}`,
    minor === null
      ? 'The engine cannot book its amount. It waits for the bank to correct it.'
      : 'The money is in suspense. It waits for two operators to decide.',
  ];
}
