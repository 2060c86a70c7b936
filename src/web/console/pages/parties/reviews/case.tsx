import { Type } from 'typebox';
import {
  findScreeningCase,
  type ScreeningCaseRow,
} from '../../../../../db/parties/screening-case-store.ts';
import { partyOf } from '../../../../../modules/parties/screening/case-party.ts';
import {
  REFUSE_CASE,
  RELEASE_CASE,
  SHOW_CASE,
} from '../../../../../modules/operations/acts/screening-acts.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import { durationWords } from '../../../../kit/duration-words.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { moment, momentOrDash } from '../../../parts/moments.ts';
import { stepOf, WhatToDo } from '../../../parts/what-to-do.tsx';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { outcomeWords } from '../../../words/review-words.ts';

export async function loadCase({ db }: ConsoleDeps, id: string): Promise<ScreeningCaseRow> {
  const row = await db.system((tx) => findScreeningCase(tx, id));
  if (row === null) throw noSuchPage();
  return row;
}

/** What is known of a case without a name. */
export const CaseFacts = ({
  row,
  name,
}: {
  readonly row: ScreeningCaseRow;
  /** The customer’s, where it is known. */
  readonly name?: string | undefined;
}) => (
  <Facts
    facts={[
      ['Customer', <CustomerLink id={row.customerId} name={name} />],
      ['Environment', environmentWords(row.environment)],
      ['Party', <code>{partyOf(row).id}</code>],
      ['List entries', String(row.entryHashes.length)],
      ['List version', row.listVersion],
      ['Since (UTC)', moment(row.openedAt)],
      ['Decided (UTC)', momentOrDash(row.decidedAt)],
      ['Decided by', row.decidedBy ?? '–'],
      ['Reason', row.reason ?? '–'],
    ]}
  />
);

/** GET /reviews/{id}: one screening case, its names masked. */
export function registerCase(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/reviews/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const row = await loadCase(deps, request.params.id);
    const names = await deps.db.system((tx) => readCustomerNames(tx, [row.customerId]));
    const isOpen = row.outcome === null;
    return sendConsolePage(request, reply, {
      title: 'Screening case',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Screening case"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip
              tone={row.outcome === null ? 'wait' : 'none'}
              text={row.outcome === null ? 'Open' : outcomeWords(row.outcome)}
            />
          </PageHead>
          <Lead sentences={sentencesOf(row, deps.clock.now())} />
          <WhatToDo
            operator={operatorOf(request)}
            recommended={isOpen ? stepOf(SHOW_CASE, row.id, COMPARE) : null}
            others={
              isOpen
                ? [stepOf(RELEASE_CASE, row.id), stepOf(REFUSE_CASE, row.id)]
                : [stepOf(SHOW_CASE, row.id)]
            }
          />
          <Card title="Details">
            <CaseFacts row={row} name={names.get(row.customerId)} />
          </Card>
        </>
      ),
    });
  });
}

const COMPARE =
  'Compare name, date of birth, and country with the entry of the list before you decide. Do not release the hit without it.';

function sentencesOf(row: ScreeningCaseRow, now: Date): readonly string[] {
  if (row.outcome !== null) {
    return [
      `This case is decided: ${outcomeWords(row.outcome).toLowerCase()}. Nothing needs to be done.`,
    ];
  }
  const count = row.entryHashes.length;
  const entries = count === 1 ? 'one entry' : `${String(count)} entries`;
  return [
    `The name of a party matches ${entries} of the sanctions list. The engine holds the party’s payments.`,
    `It has waited for an operator for ${durationWords(now.getTime() - row.openedAt.getTime())}. Payments that wait 30 days for a decision fail.`,
  ];
}
