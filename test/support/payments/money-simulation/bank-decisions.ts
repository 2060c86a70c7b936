import type { BankReply } from '../scripted-bank.ts';
import type { Agenda } from './agenda.ts';
import type { BankJournal, Transfer } from './bank-journal.ts';
import type { BankPlan } from './bank-plan.ts';
import { toText } from './currencies.ts';

export type TellEngine = (word: object, messageId: string) => Promise<void>;

export interface DecisionDeps {
  readonly journal: BankJournal;
  readonly agenda: Agenda;
  readonly planOf: (order: number) => BankPlan;
  readonly tell: TellEngine;
}

const UNHEARD: BankReply = 'RESET';

/** The same order may come again once its reference was answered "never seen" so often. */
const NEVER_SEEN_TO_RESEND = 2;

/** What the bank does with an order that it has not seen, what it says then, and what it does later. */
export function createBankDecisions({ journal, agenda, planOf, tell }: DecisionDeps) {
  const lost = new Set<number>();
  /** How often "never seen" was said of a reference since it came last. */
  const unseen = new Map<string, number>();

  const sayStatus = ({ reference, status, reason }: Transfer): BankReply => ({
    status: 200,
    body: { reference, status, bankReference: `B-${reference}`, ...(reason && { reason }) },
  });

  async function report(transfer: Transfer, plan: BankPlan, more: object = {}): Promise<void> {
    const { reference, status, reason } = transfer;
    const word = { reference, status, bankReference: `B-${reference}`, ...(reason && { reason }) };
    for (let copy = 1; copy <= plan.copies; copy += 1) {
      // A message that comes again, and one that says the same anew.
      const messageId = `${reference}-${status}-${String(copy > 2 ? copy : 1)}`;
      await tell({ ...word, ...more }, messageId);
    }
  }

  function pay(transfer: Transfer, plan: BankPlan): void {
    const { back, isBookedTwice } = plan;
    journal.execute(transfer, isBookedTwice && back === null);
    if (back === null) return;
    const { afterMs, perMille, told, understatedBy } = back;
    const minor = (transfer.minor * BigInt(perMille)) / 1_000n;
    if (minor === 0n) return;
    agenda.in(afterMs, async () => {
      journal.giveBack(transfer, minor, isBookedTwice);
      if (told === 'BY_STATEMENT') return undefined;
      transfer.said = { amount: null };
      transfer.returnSaidAt = agenda.now();
      if (told === 'BY_CALLBACK_WITHOUT_AMOUNT') return report(transfer, plan);
      const less = minor - BigInt(understatedBy);
      const amount = less > 0n ? less : minor;
      transfer.said = { amount };
      return report(transfer, plan, { amount: toText(amount, transfer.currency) });
    });
  }

  function acceptThen(transfer: Transfer, plan: BankPlan, decide: () => void): BankReply {
    agenda.in(plan.decidesAfterMs, async () => {
      decide();
      await report(transfer, plan);
      if (!plan.isShuffled) return;
      const { reference } = transfer;
      await tell({ reference, status: 'ACCEPTED' }, `${reference}-ACCEPTED`);
    });
    return sayStatus(transfer);
  }

  /** The first word about a new reference. */
  function decide(transfer: Transfer, plan: BankPlan): BankReply {
    switch (plan.act) {
      case 'SETTLES':
      case 'LOSES_ORDER':
        pay(transfer, plan);
        return sayStatus(transfer);
      case 'ACCEPTS_THEN_SETTLES':
        return acceptThen(transfer, plan, () => pay(transfer, plan));
      case 'ACCEPTS_THEN_REJECTS':
        return acceptThen(transfer, plan, () => journal.reject(transfer, 'AC01'));
      case 'REJECTS':
        journal.reject(transfer, 'AC04');
        return sayStatus(transfer);
      case 'REJECTS_UNHEARD':
        journal.reject(transfer, 'RC01');
        return UNHEARD;
      case 'REJECTS_FOR_NOW':
      case 'REJECTS_FOR_NOW_ALWAYS': {
        const isOver = journal.of(transfer.order).length > plan.rejections;
        if (isOver && plan.act === 'REJECTS_FOR_NOW') pay(transfer, plan);
        else journal.reject(transfer, 'BANK_UNAVAILABLE');
        return sayStatus(transfer);
      }
      case 'SETTLES_UNHEARD':
      case 'SETTLES_IN_SILENCE':
        pay(transfer, plan);
        return UNHEARD;
      case 'SETTLES_TOO_LATE':
        pay(transfer, plan);
        return 'SILENCE';
      case 'LOSES_ORDER_ALWAYS':
        return UNHEARD;
    }
  }

  const isMute = ({ act }: BankPlan) => act === 'SETTLES_IN_SILENCE';
  const questions = new Map<string, number>();

  return {
    onPut(reference: string, body: string): BankReply {
      const known = journal.find(reference);
      const order = Number(/"ORDER (\d+)"/.exec(body)?.[1]);
      const plan = planOf(order);
      journal.heardOf.add(order);
      if ((unseen.get(reference) ?? NEVER_SEEN_TO_RESEND) < NEVER_SEEN_TO_RESEND) {
        journal.offences.push(`${reference} was sent again on a guess`);
      }
      unseen.set(reference, 0);
      if (known !== undefined) {
        journal.open(reference, body);
        if (isMute(plan)) return UNHEARD;
        return sayStatus({
          ...known,
          status: known.status === 'RETURNED' ? 'SETTLED' : known.status,
        });
      }
      if (plan.act === 'LOSES_ORDER_ALWAYS') return UNHEARD;
      if (plan.act === 'LOSES_ORDER' && !lost.has(order)) {
        lost.add(order);
        return UNHEARD;
      }
      return decide(journal.open(reference, body), plan);
    },
    onGet(reference: string, neverSeen: BankReply): BankReply {
      const known = journal.find(reference);
      if (known === undefined) {
        // A question that overtakes the first send says nothing of a send: two workers may be at it.
        const count = unseen.get(reference);
        if (count !== undefined) unseen.set(reference, count + 1);
        return neverSeen;
      }
      const plan = planOf(known.order);
      const asked = (questions.get(reference) ?? 0) + 1;
      questions.set(reference, asked);
      return isMute(plan) || asked <= plan.unheardQuestions ? UNHEARD : sayStatus(known);
    },
  };
}
