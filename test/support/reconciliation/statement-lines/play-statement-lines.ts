import { bankAccountEvent } from '../../../../src/modules/parties/bank-accounts/bank-account-view.ts';
import { endUserEvent } from '../../../../src/modules/parties/end-users/end-user-view.ts';
import { findBankAccount } from '../../../../src/db/parties/bank-account-store.ts';
import { findEndUser } from '../../../../src/db/parties/end-user-store.ts';
import { recordEvent } from '../../../../src/db/webhooks/event-store.ts';
import { createOpsCommands, type OpsCommands } from '../../cli/ops/ops-commands.ts';
import { finalise } from '../../finalise.ts';
import { drawFrom } from '../../payments/money-simulation/draw.ts';
import type { PayingCustomer } from '../../seed-payments.ts';
import { createDecidingHarness, type DecidingHarness } from '../deciding-harness.ts';
import { cloneOf, clonePayment, type PaymentTemplate } from './clone-payment.ts';
import { createDesk } from './desk.ts';
import { createGround, type Payee } from './ground.ts';
import { createLinesBank, momentOf, type LinesBank } from './lines-bank.ts';
import { KINDS_OF_REPORTS, ODDITIES, ODDITY_NAMES, type Planted } from './oddities.ts';
import { bookPlainly, type PlainPayment } from './plain-bookings.ts';
import { createReportReader } from './report-reader.ts';

const CUSTOMERS = 4;
/** What a seeded customer has in each currency, minor units. */
const FUNDED = 1_000_000_000n;
const PLAIN_AMOUNTS = [1_000n, 2_599n, 417n, 99_999n];
const DAY_MS = 86_400_000;
const ACTS_AT_ONCE = 4;

export interface PlantedOddity extends Planted {
  readonly kind: string;
}

export interface StatementLines {
  readonly harness: DecidingHarness;
  readonly bank: LinesBank;
  readonly ops: OpsCommands;
  readonly oddities: readonly PlantedOddity[];
  /** Exceptions by where they are, as the desk found them once everything was read. */
  readonly found: Readonly<Record<string, string>>;
  /** What could not be ended, by kind. */
  readonly notEnded: readonly string[];
}

/** Plants oddities among so many lines, has the engine read all reports, and ends what it found. */
export async function playStatementLines(
  seed: number,
  { lines, oddities: count }: { readonly lines: number; readonly oddities: number },
): Promise<StatementLines> {
  const harness = await createDecidingHarness();
  const payees = await seedPayees(harness);
  const opening = FUNDED * BigInt(payees.length);
  const bank = createLinesBank(seed, { EUR: opening, USD: opening });
  const ground = createGround(harness, bank, payees, drawFrom(seed, 1));
  const templates = await seedTemplates(payees);

  const oddities: PlantedOddity[] = [];
  for (let turn = 0; oddities.length < count; turn += 1) {
    for (const kind of ODDITY_NAMES) {
      if (oddities.length >= count) break;
      if (KINDS_OF_REPORTS.has(kind) && turn % 10 !== 0) continue;
      const plant = ODDITIES[kind];
      if (plant !== undefined) oddities.push({ kind, ...(await plant(ground)) });
    }
  }
  const plain = createPlainPayments(templates, seed);
  bookPlainly(ground, drawFrom(seed, 2), lines, plain.take);
  for (const { template, count: wanted } of plain.wanted()) {
    await clonePayment(harness.url, template, wanted);
  }
  await harness.analyze();

  const reader = createReportReader(harness);
  let day = 0;
  for (const report of bank.close()) {
    if (report.day > day) {
      if (day === 0) await finalise(harness.db, harness.clock);
      await harness.analyze();
      harness.clock.advance(DAY_MS);
      day = report.day;
    }
    await reader.read(report);
  }
  const found = await readFound(harness);
  const ops = createOpsCommands(harness.commands, harness.clock);
  const desk = createDesk(harness, ops, reader);
  const notEnded = await endAll(oddities, desk);
  return { harness, bank, ops, oddities, found, notEnded };
}

async function endAll(
  oddities: readonly PlantedOddity[],
  desk: ReturnType<typeof createDesk>,
): Promise<string[]> {
  const failed: string[] = [];
  const waiting = oddities.values();
  const work = async (): Promise<void> => {
    for (const { kind, end } of waiting) {
      await end(desk).catch((error: unknown) => {
        failed.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
  };
  await Promise.all(Array.from({ length: ACTS_AT_ONCE }, work));
  return failed;
}

/** Lines, problems of reports, and payments that are exceptions, whatever answers them. */
async function readFound({ rows }: DecidingHarness): Promise<Record<string, string>> {
  const found = await rows<{ place: string; kind: string }>(
    `SELECT s.bank_statement_id || '/' || l.line AS place, l.exception AS kind
     FROM statement_lines l JOIN statements s ON s.id = l.statement_id WHERE l.outcome = 'EXCEPTION'
     UNION ALL
     SELECT DISTINCT s.bank_statement_id || '/' || (problem ->> 'code'), problem ->> 'code'
     FROM statements s, jsonb_array_elements(s.problems) AS problem
     WHERE problem ->> 'code' NOT IN ('BALANCE_UNCHECKED', 'MORE_PROBLEMS')
     UNION ALL
     SELECT p.id, p.reconciliation_evidence ->> 'exception' FROM payments p
     WHERE p.reconciliation_status = 'EXCEPTION' AND NOT EXISTS (
       SELECT FROM statement_lines l WHERE l.payment_id = p.id AND l.outcome = 'EXCEPTION')`,
  );
  return Object.fromEntries(found.map(({ place, kind }) => [place, kind]));
}

async function seedPayees(harness: DecidingHarness): Promise<Payee[]> {
  const payees: Payee[] = [];
  while (payees.length < CUSTOMERS) {
    const customer = payees.length === 0 ? harness.customer : await harness.addCustomer();
    await tellParties(harness, customer);
    const EUR = await harness.reference(customer.scope, 'EUR');
    const USD = await harness.reference(customer.scope, 'USD');
    payees.push({ customer, references: { EUR, USD } });
  }
  return payees;
}

/** A customer is seeded without the events of its end-user and account. */
async function tellParties(harness: DecidingHarness, { scope }: PayingCustomer): Promise<void> {
  const [ids] = await harness.rows<{ endUserId: string; accountId: string }>(
    `SELECT id AS "accountId", end_user_id AS "endUserId" FROM bank_accounts WHERE customer_id = $1`,
    [scope.customerId],
  );
  if (ids === undefined) throw new Error('a customer without an account');
  await harness.db.write(scope, async (tx) => {
    const endUser = await findEndUser(tx, scope, ids.endUserId);
    const account = await findBankAccount(tx, scope, ids.accountId);
    if (endUser === null || account === null) throw new Error('a customer without an end-user');
    await recordEvent(tx, scope, endUserEvent('end_user.created', endUser), endUser.createdAt);
    const created = bankAccountEvent('bank_account.created', account);
    await recordEvent(tx, scope, created, account.createdAt);
  });
}

interface DayTemplate extends PaymentTemplate {
  readonly day: number;
}

/** One settled payment of each day and amount, after which the others are made. */
async function seedTemplates(payees: readonly Payee[]): Promise<DayTemplate[]> {
  const templates: DayTemplate[] = [];
  for (const day of [1, 2, 3]) {
    for (const [index, amount] of PLAIN_AMOUNTS.entries()) {
      const payee = payees[(day + index) % payees.length];
      if (payee === undefined) throw new Error('no customer');
      const { customer } = payee;
      const at = new Date(momentOf(day, 9));
      const paid = await customer.pay({ fate: 'COMPLETED', at, amount });
      templates.push({ ...paid, customerId: customer.scope.customerId, amount, day });
    }
  }
  return templates;
}

/** Names payments before they are made: the templates first, which are, and then those after them. */
function createPlainPayments(templates: readonly DayTemplate[], seed: number) {
  const draw = drawFrom(seed, 3);
  const counts = new Map(templates.map((template) => [template, 0]));
  const untouched = new Set(templates);
  return {
    take(day: number): PlainPayment {
      const template = draw.pick(templates.filter((one) => one.day === day));
      if (untouched.delete(template)) return template;
      const number = (counts.get(template) ?? 0) + 1;
      counts.set(template, number);
      return { reference: cloneOf(template, number).reference, amount: template.amount };
    },
    wanted: () => [...counts].map(([template, count]) => ({ template, count })),
  };
}
