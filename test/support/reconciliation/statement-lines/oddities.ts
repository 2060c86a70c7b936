import type { EntryDraft } from '../statement-xml.ts';
import type { Desk } from './desk.ts';
import { foreignReference, type Ground } from './ground.ts';
import {
  keyOf,
  minorOf,
  momentOf,
  textOf,
  type PaperReport,
  type ShownLine,
} from './lines-bank.ts';

/** What a statement shows and the books do not, as the desk has to find it, and what ends it. */
export interface Planted {
  /** Exceptions by `<report>/<line>`, `<report>/<problem>`, or a payment's id. */
  expected(): Readonly<Record<string, string>>;
  end(desk: Desk): Promise<void>;
}

type Plant = (ground: Ground) => Promise<Planted>;

function planted(
  exceptions: readonly (readonly [ShownLine | string, string])[],
  end: Planted['end'],
): Planted {
  return {
    expected: () =>
      Object.fromEntries(
        exceptions.map(([where, kind]) => [typeof where === 'string' ? where : keyOf(where), kind]),
      ),
    end,
  };
}

const at = (lines: readonly ShownLine[], index: number): ShownLine => {
  const found = lines[index];
  if (found === undefined) throw new Error(`there is no line ${String(index)}`);
  return found;
};

/** A payment of a day from 1 to `last`, which its reports show as they should. */
async function payAsUsual(ground: Ground, last: number) {
  const day = ground.draw.int(1, last);
  const paid = await ground.pay(day);
  ground.booking(ground.debit(paid), [day, 'MORNING'], [day, 'DAY']);
  return { day, paid };
}

/** A booking that only a report shows which the bank gives out when it is asked. */
function showLater(ground: Ground, draft: EntryDraft): PaperReport {
  const report = ground.bank.open({
    ...{ id: ground.next('LATER-'), day: 3, report: 'INTRADAY', currency: 'EUR' },
    isAskedFor: true,
  });
  ground.bank.book(draft);
  ground.bank.showOn(report, draft);
  return report;
}

/** Kinds of which each has a report of its own: a tenth as often as the others. */
export const KINDS_OF_REPORTS: ReadonlySet<string> = new Set([
  'sums of a statement that do not add up',
  'a number left out before a report',
  'a report that cannot be read',
  'a payout that the bank shows later',
  'a return that the bank shows later',
]);

/** What banks do that no books foresee, by what it is. */
export const ODDITIES: Readonly<Record<string, Plant>> = {
  'a payout debited with charges': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day), { amount: '12.50' });
    const lines = ground.booking(debit, [day, 'MORNING'], [day, 'AFTERNOON'], [day, 'DAY']);
    return planted([[at(lines, 0), 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'BANK_CHARGES'),
    );
  },

  'a payout debited with less': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day), { amount: '9.01', bankReference: null });
    const lines = ground.booking(debit, [day, 'AFTERNOON'], [day, 'DAY']);
    return planted([[at(lines, 0), 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a payout debited in another currency': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day), { amount: '11.07' });
    ground.bank.book(debit, 'USD');
    const line = ground.bank.show(day, 'DOLLARS', debit);
    return planted([[line, 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(line, 'WRITE_OFF', '--account', 'FX_DIFFERENCE'),
    );
  },

  'a payout debited twice': async (ground) => {
    const day = ground.draw.int(1, 3);
    const paid = await ground.pay(day);
    ground.booking(ground.debit(paid), [day, 'MORNING'], [day, 'AFTERNOON'], [day, 'DAY']);
    const lines = ground.booking(ground.debit(paid), [day, 'AFTERNOON'], [day, 'DAY']);
    return planted([[at(lines, 0), 'DUPLICATE_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a payout debited again the next day': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const again = { bankReference: null, bookedAt: momentOf(day + 1, 10) };
    const lines = ground.booking(ground.debit(paid, again), [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'DUPLICATE_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a payout listed twice on one statement': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day));
    const lines = [ground.booking(debit, [day, 'DAY']), ground.booking(debit, [day, 'DAY'])].flat();
    const later = () => lines.reduce((one, other) => (one.line > other.line ? one : other));
    return {
      expected: () => ({ [keyOf(later())]: 'DUPLICATE_AT_BANK' }),
      end: (desk) => desk.apply(later(), 'WRITE_OFF', '--account', 'GOODWILL'),
    };
  },

  'a return of more than was sent': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const back = ground.back(paid, { amount: '15.00' });
    const lines = ground.booking(back, [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(at(lines, 0), 'CREDIT_RETURN', '--account', 'GOODWILL'),
    );
  },

  'a return that comes twice': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    ground.booking(ground.back(paid), [day + 1, 'MORNING'], [day + 1, 'DAY']);
    const lines = ground.booking(ground.back(paid), [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'DUPLICATE_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a return in two parts': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    ground.booking(ground.back(paid, { amount: '6.00' }), [day + 1, 'MORNING'], [day + 1, 'DAY']);
    const rest = ground.back(paid, { amount: '4.00' });
    const lines = ground.booking(rest, [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'DUPLICATE_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'CREDIT_RETURN'),
    );
  },

  'a return of a final payment': async (ground) => {
    const paid = await ground.pay(0);
    ground.booking(ground.debit(paid), [0, 'DAY']);
    const day = ground.draw.int(1, 3);
    const back = ground.back(paid, { bookedAt: momentOf(day, 10) });
    const lines = ground.booking(back, [day, 'AFTERNOON'], [day, 'ADVICE'], [day, 'DAY']);
    return planted([[at(lines, 0), 'LATE_RETURN']], (desk) => desk.creditLateReturn(paid.id));
  },

  'a return under an unknown reference': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const back = ground.back(paid, { reference: ground.next('UNKNOWN-') });
    const lines = ground.booking(back, [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'UNKNOWN_RETURN']], (desk) =>
      desk.apply(at(lines, 0), 'CREDIT_RETURN', '--payment', paid.id),
    );
  },

  'a return that names its payment on the later report alone': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const unnamed = { reference: ground.next('UNKNOWN-') };
    const back = ground.back(paid);
    const lines = ground.booking(back, [day + 1, 'AFTERNOON', unnamed], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'UNKNOWN_RETURN']], (desk) =>
      desk.closeAgainst(at(lines, 0), at(lines, 1)),
    );
  },

  'a marked return of nobody that is sent back': async (ground) => {
    const day = ground.draw.int(1, 2);
    const back = {
      ...ground.deposit(day),
      reference: ground.next('UNKNOWN-'),
      returnReason: 'AC04',
    };
    const lines = ground.booking(back, [day, 'ADVICE'], [day, 'DAY']);
    const { amount } = back;
    const left = ground.booking(ground.leaving(day + 1, { amount }), [day + 1, 'DAY']);
    return planted(
      [
        [at(lines, 0), 'UNKNOWN_RETURN'],
        [at(left, 0), 'UNEXPECTED_AT_BANK'],
      ],
      (desk) => desk.closeAgainst(at(lines, 0), at(left, 0)),
    );
  },

  'a return that is marked and is none': async (ground) => {
    const day = ground.draw.int(1, 3);
    const payee = ground.payee();
    const remittance = payee.references.EUR;
    const lines = ground.booking(
      { ...ground.deposit(day, { remittance }), returnReason: 'AC04' },
      [day, 'MORNING'],
      [day, 'DAY'],
    );
    return planted([[at(lines, 0), 'UNKNOWN_RETURN']], (desk) =>
      desk.assign(at(lines, 0), payee, '--not-return', 'yes'),
    );
  },

  'a return that is not marked': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const { reference } = paid;
    const back = ground.deposit(day + 1, { reference });
    const lines = ground.booking(back, [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted(
      lines.map((line) => [line, 'UNKNOWN_RETURN']),
      (desk) => desk.assign(at(lines, 0), paid.payee),
    );
  },

  'a return that the bank told otherwise: less': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    await ground.tellReturned(paid, '6.00');
    const lines = ground.booking(ground.back(paid), [day + 1, 'AFTERNOON'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(at(lines, 0), 'CREDIT_RETURN'),
    );
  },

  'a return that the bank told otherwise: more': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    await ground.tellReturned(paid, '10.00');
    const back = ground.back(paid, { amount: '7.50' });
    const lines = ground.booking(back, [day + 1, 'MORNING'], [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'AMOUNT_MISMATCH']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'BANK_CHARGES'),
    );
  },

  'a return that the bank takes back': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 1);
    ground.booking(ground.back(paid), [day + 1, 'MORNING'], [day + 1, 'DAY']);
    const taken = { reversal: true, bookedAt: momentOf(day + 2, 10) };
    const lines = ground.booking(ground.debit(paid, taken), [day + 2, 'MORNING'], [day + 2, 'DAY']);
    return planted([[at(lines, 0), 'UNEXPECTED_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'RECOVER'),
    );
  },

  'a payout of a payment that had failed': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day, 'FAILED'));
    const lines = ground.booking(debit, [day, 'AFTERNOON'], [day, 'DAY']);
    return planted([[at(lines, 0), 'LATE']], (desk) => desk.apply(at(lines, 0), 'RECOVER'));
  },

  'a payout of a payment that had failed, and back': async (ground) => {
    const day = ground.draw.int(1, 2);
    const paid = await ground.pay(day, 'FAILED');
    const out = ground.booking(ground.debit(paid), [day, 'MORNING'], [day, 'DAY']);
    const back = ground.booking(ground.back(paid), [day + 1, 'DAY']);
    return planted(
      [
        [at(out, 0), 'LATE'],
        [at(back, 0), 'LATE'],
      ],
      async (desk) => {
        await desk.apply(at(out, 0), 'RECOVER');
        await desk.apply(at(back, 0), 'CREDIT_RETURN');
      },
    );
  },

  'a deposit without a reference': async (ground) => {
    const day = ground.draw.int(1, 3);
    const payee = ground.payee();
    const deposit = ground.deposit(day, { remittance: 'Rent' });
    const lines = ground.booking(deposit, [day, 'ADVICE'], [day, 'DAY']);
    return planted(
      lines.map((line) => [line, 'UNKNOWN_RETURN']),
      (desk) => desk.assign(at(lines, 0), payee),
    );
  },

  'a deposit of nobody that is sent back': async (ground) => {
    const day = ground.draw.int(1, 2);
    const deposit = ground.deposit(day);
    const remittance = foreignReference(Number(minorOf(deposit.amount)));
    const lines = ground.booking({ ...deposit, remittance }, [day, 'DAY']);
    const { amount } = deposit;
    const left = ground.booking(ground.leaving(day + 1, { amount }), [day + 1, 'DAY']);
    return planted(
      [
        [at(lines, 0), 'UNKNOWN_RETURN'],
        [at(left, 0), 'UNEXPECTED_AT_BANK'],
      ],
      (desk) => desk.closeAgainst(at(lines, 0), at(left, 0)),
    );
  },

  'a deposit in another currency than its reference': async (ground) => {
    const day = ground.draw.int(1, 3);
    const payee = ground.payee();
    const deposit = ground.deposit(day, { remittance: payee.references.USD });
    const lines = ground.booking(deposit, [day, 'MORNING'], [day, 'DAY']);
    return planted(
      lines.map((line) => [line, 'UNKNOWN_RETURN']),
      (desk) => desk.assign(at(lines, 0), payee),
    );
  },

  'a deposit listed again without proof': async (ground) => {
    const day = ground.draw.int(1, 3);
    const remittance = ground.payee().references.EUR;
    const deposit = ground.deposit(day, { remittance, bankReference: null });
    const lines = ground.booking(deposit, [day, 'MORNING'], [day, 'DAY']);
    return planted([[at(lines, 1), 'POSSIBLE_DUPLICATE']], (desk) => desk.dismiss(at(lines, 1)));
  },

  'a deposit listed again under other ids': async (ground) => {
    const day = ground.draw.int(1, 3);
    const remittance = ground.payee().references.EUR;
    const deposit = ground.deposit(day, { remittance });
    const byTransaction = { bankReference: null, transactionId: ground.next('TX-') };
    const lines = ground.booking(deposit, [day, 'MORNING', byTransaction], [day, 'DAY']);
    return planted([[at(lines, 1), 'POSSIBLE_DUPLICATE']], (desk) => desk.dismiss(at(lines, 1)));
  },

  'two deposits that look like one': async (ground) => {
    const day = ground.draw.int(1, 2);
    const payee = ground.payee();
    const transactionId = ground.next('TX-');
    const deposit = ground.deposit(day, { remittance: payee.references.EUR });
    ground.booking({ ...deposit, bankReference: null, transactionId }, [day, 'DAY']);
    const other = { ...deposit, bookedAt: momentOf(day + 1, 8) };
    const lines = ground.booking(other, [day + 1, 'MORNING'], [day + 1, 'DAY']);
    return planted(
      lines.map((line) => [line, 'POSSIBLE_DUPLICATE']),
      (desk) => desk.assign(at(lines, 0), payee, '--both-came', 'yes'),
    );
  },

  'a deposit taken back without a mark': async (ground) => {
    const day = ground.draw.int(1, 2);
    const payee = ground.payee();
    const deposit = ground.deposit(day, { remittance: payee.references.EUR });
    ground.booking(deposit, [day, 'MORNING'], [day, 'DAY']);
    const { amount } = deposit;
    const lines = ground.booking(ground.leaving(day + 1, { amount }), [day + 1, 'DAY']);
    return planted([[at(lines, 0), 'UNEXPECTED_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'RECOVER', '--customer', payee.customer.scope.customerId),
    );
  },

  'a deposit taken back that never came': async (ground) => {
    const day = ground.draw.int(1, 3);
    const lines = ground.booking(ground.leaving(day, { reversal: true }), [day, 'DAY']);
    return planted([[at(lines, 0), 'UNEXPECTED_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a deposit taken back twice': async (ground) => {
    const deposit = ground.deposit(0, { remittance: ground.payee().references.EUR });
    ground.booking(deposit, [0, 'DAY']);
    const taken = { ...deposit, direction: 'DBIT', reversal: true } as const;
    ground.booking({ ...taken, bookedAt: momentOf(1, 10) }, [1, 'MORNING'], [1, 'DAY']);
    const lines = ground.booking({ ...taken, bookedAt: momentOf(3, 10) }, [3, 'DAY']);
    return planted([[at(lines, 0), 'DUPLICATE_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL'),
    );
  },

  'a deposit given again after it was taken back': async (ground) => {
    const payee = ground.payee();
    const deposit = ground.deposit(0, { remittance: payee.references.EUR });
    ground.booking(deposit, [0, 'DAY']);
    const taken = { ...deposit, direction: 'DBIT', reversal: true } as const;
    ground.booking({ ...taken, bookedAt: momentOf(1, 10) }, [1, 'MORNING'], [1, 'DAY']);
    const lines = ground.booking({ ...deposit, bookedAt: momentOf(3, 10) }, [3, 'DAY']);
    return planted([[at(lines, 0), 'POSSIBLE_DUPLICATE']], (desk) =>
      desk.assign(at(lines, 0), payee),
    );
  },

  'a fee': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 3);
    const { reference } = paid;
    const fee = ground.leaving(day, { reference, code: ['ICDT', 'CHRG'] });
    const lines = ground.booking(fee, [day, 'DAY']);
    return planted([[at(lines, 0), 'UNEXPECTED_AT_BANK']], (desk) =>
      desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'BANK_CHARGES'),
    );
  },

  // The reference of the bank ties none of what names neither a payment nor a credit: each line is an exception.
  'a debit of nobody on two reports': async (ground) => {
    const day = ground.draw.int(1, 3);
    const lines = ground.booking(ground.leaving(day), [day, 'AFTERNOON'], [day, 'DAY']);
    return planted(
      lines.map((line) => [line, 'UNEXPECTED_AT_BANK']),
      async (desk) => {
        await desk.apply(at(lines, 0), 'WRITE_OFF', '--account', 'GOODWILL');
        await desk.apply(at(lines, 1), 'ACKNOWLEDGE');
      },
    );
  },

  'a cover trade, with charges': async (ground) => {
    const day = ground.draw.int(1, 3);
    const reference = ground.next('TRADE-');
    const bought = ground.deposit(day, { reference });
    const lines = ground.booking(bought, [day, 'AFTERNOON'], [day, 'DAY']);
    const sold = ground.leaving(day, { reference });
    ground.bank.book(sold, 'USD');
    const debit = ground.bank.show(day, 'DOLLARS', sold);
    return planted(
      [...lines.map((line) => [line, 'UNKNOWN_RETURN'] as const), [debit, 'UNEXPECTED_AT_BANK']],
      async (desk) => {
        await desk.recordTrade(reference, {
          sold: `${textOf(minorOf(sold.amount) - 150n)} USD`,
          bought: `${textOf(minorOf(bought.amount) + 200n)} EUR`,
        });
        await desk.apply(debit, 'TIE_TRADE', '--trade', reference);
        await desk.tie(at(lines, 0), reference);
      },
    );
  },

  'a batch whose details do not add up': async (ground) => {
    const day = ground.draw.int(1, 3);
    const remittance = ground.payee().references.EUR;
    const deposits = [1, 2].map(() => {
      const deposit = ground.deposit(day, { remittance, transactionId: ground.next('TX-') });
      ground.booking(deposit, [day, 'DAY']);
      return deposit;
    });
    const sum = deposits.reduce((total, { amount }) => total + minorOf(amount), 0n);
    const reportId = ground.bank.idOf(day, 'ADVICE');
    const first = ground.bank.show(day, 'ADVICE', {
      ...{ direction: 'CRDT', amount: textOf(sum - 400n), bankReference: null, remittance },
      ...{ entryReference: ground.next('ENTRY-'), bookedAt: momentOf(day, 11) },
      batch: deposits.map(({ amount, transactionId = '' }) => ({ amount, transactionId })),
    });
    const second = () => ({ ...first, line: first.line + 1 });
    const isAccepted = ground.draw.chance(50);
    return {
      expected: () => ({
        [keyOf(first)]: 'UNPROVEN_SUM',
        [keyOf(second())]: 'UNPROVEN_SUM',
        [`${reportId}/BATCH_MISMATCH`]: 'BATCH_MISMATCH',
      }),
      async end(desk) {
        if (isAccepted) await desk.acceptSums(reportId, first.entry);
        else {
          await desk.apply(first, 'ACKNOWLEDGE');
          await desk.apply(second(), 'ACKNOWLEDGE');
        }
        await desk.acknowledgeOnce(`${reportId}/BATCH_MISMATCH`);
      },
    };
  },

  'an entry that cannot be read': async (ground) => {
    const day = ground.draw.int(1, 3);
    const debit = ground.debit(await ground.pay(day));
    ground.booking(debit, [day, 'DAY']);
    ground.bank.show(day, 'MORNING', { ...debit, amount: '1O.OO' });
    const problem = `${ground.bank.idOf(day, 'MORNING')}/ENTRY_UNREADABLE`;
    return planted([[problem, 'ENTRY_UNREADABLE']], (desk) => desk.acknowledgeOnce(problem));
  },

  'sums of a statement that do not add up': async (ground) => {
    const { day, paid } = await payAsUsual(ground, 2);
    const report = ground.bank.open({
      ...{ id: ground.next('SUMS-'), day: day + 1, report: 'DAY', currency: 'EUR' },
      closingOff: 1n,
    });
    const deposit = ground.deposit(day + 1, { remittance: ground.payee().references.EUR });
    const lines = [deposit, ground.back(paid)].flatMap((draft) => {
      ground.bank.book(draft);
      return ground.bank.showOn(report, draft);
    });
    const problem = `${report.id}/BALANCE_MISMATCH`;
    return planted(
      [...lines.map((line) => [line, 'UNPROVEN_SUM'] as const), [problem, 'BALANCE_MISMATCH']],
      async (desk) => {
        await desk.acceptSums(report.id, null);
        await desk.acknowledgeOnce(problem);
      },
    );
  },

  'a number left out before a report': async (ground) => {
    const day = ground.draw.int(1, 3);
    const report = ground.bank.open({
      ...{ id: ground.next('GAP-'), day, report: 'INTRADAY', currency: 'EUR', gap: 1 },
    });
    const debit = ground.debit(await ground.pay(day));
    ground.booking(debit, [day, 'DAY']);
    ground.bank.showOn(report, debit);
    const problem = `${report.id}/SEQUENCE_GAP`;
    return planted([[problem, 'SEQUENCE_GAP']], (desk) => desk.acknowledgeOnce(problem));
  },

  'a payout that the bank never made': async (ground) => {
    const paid = await ground.pay(ground.draw.int(1, 3));
    return planted([[paid.id, 'MISSING_AT_BANK']], (desk) => desk.giveBack(paid));
  },

  'a payout that the bank shows later': async (ground) => {
    const paid = await ground.pay(ground.draw.int(1, 3));
    const report = showLater(ground, ground.debit(paid, { bookedAt: momentOf(3, 10) }));
    return planted([[paid.id, 'MISSING_AT_BANK']], (desk) => desk.ask(report));
  },

  'a return that the bank shows later': async (ground) => {
    const { paid } = await payAsUsual(ground, 2);
    await ground.tellReturned(paid, '10.00');
    const report = showLater(ground, ground.back(paid, { bookedAt: momentOf(3, 10) }));
    return planted([[paid.id, 'MISSING_AT_BANK']], (desk) => desk.ask(report));
  },

  'a report that cannot be read': async (ground) => {
    const report = ground.bank.open({
      ...{ id: ground.next('BROKEN-'), day: 3, report: 'INTRADAY', currency: 'EUR' },
      isBroken: true,
    });
    const debit = ground.debit(await ground.pay(3));
    ground.booking(debit, [3, 'DAY']);
    ground.bank.showOn(report, debit);
    return planted([[`${report.id}/UNREADABLE`, 'UNREADABLE']], (desk) => desk.ask(report));
  },
};

export const ODDITY_NAMES: readonly string[] = Object.keys(ODDITIES);
