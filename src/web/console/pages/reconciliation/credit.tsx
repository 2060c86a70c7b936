import { Type } from 'typebox';
import {
  findIncomingCredit,
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
      const { names, trade, tie } = await deps.db.system(async (tx) => ({
        names: await readCustomerNames(tx, customerId === null ? [] : [customerId]),
        trade: (await findTradesOnCredits(tx, [credit.id])).get(credit.id) ?? null,
        tie: (await listExceptionActs(tx, credit.id)).find(
          ({ act, isReversed }) => act === 'TIE_TRADE' && !isReversed,
        ),
      }));
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
              recommended={isOpen ? recommendedFor(credit, trade) : null}
              others={[
                ...(isOpen ? othersOf(credit, trade) : []),
                ...(tie === undefined ? [] : [stepOf(REVERSE_EXCEPTION_ACT, tie.id)]),
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

/** `trade`: whose reference the line bears. */
function recommendedFor(credit: ShownCredit, trade: string | null): Step {
  const { id, unmatchedReason, statementId, line } = credit;
  if (unmatchedReason === 'MARKED_RETURN') {
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

function othersOf(credit: ShownCredit, trade: string | null): readonly Step[] {
  const { id, unmatchedReason, resemblesCreditId } = credit;
  const isReturn = unmatchedReason === 'MARKED_RETURN';
  return [
    ...(isReturn || trade !== null ? [stepOf(ASSIGN_CREDIT, id, ASSIGN_WHY)] : []),
    ...(isReturn || trade !== null ? [] : [stepOf(TIE_CREDIT, id)]),
    ...(resemblesCreditId === null ? [] : [stepOf(DISMISS_CREDIT, id)]),
    stepOf(CLOSE_CREDIT, id),
  ];
}

const RETURN_WHY = 'First ask the bank which payment came back. Then name that payment.';

const ASSIGN_WHY =
  'First ask the bank or the customer who paid it. Assign it only if the customer can show the transfer. Money that is credited to the wrong customer can be paid out.';

const OUTCOMES: Readonly<Record<string, string>> = {
  ASSIGNED: 'Assigned to a customer',
  CREDITED: 'Credited to a customer',
  CLOSED: 'Closed',
  REVERSED: 'Reversed by the bank',
  TIED: 'Tied to a cover trade',
  RETURNED: 'Returned to the customer of a payment',
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
