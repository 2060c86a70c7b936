import { expect } from 'vitest';
import type { OpsCommands } from '../../cli/ops/ops-commands.ts';
import type { TwoOperators } from '../../two-operators.ts';
import { toMinor } from './currencies.ts';
import type { SimulatedPayer } from './payers.ts';

/** A credit that was no one's and is a customer's now. Minor units. */
export interface Assignment {
  readonly customerId: string;
  readonly currency: string;
  readonly minor: bigint;
}

export interface Decisions {
  readonly assignments: readonly Assignment[];
  /** Payments whose late return the customer was credited. */
  readonly creditedLate: ReadonlySet<string>;
}

const by = (operator: string) => ['--reason', 'asked the bank', '--operator', operator];

/** Two operators clear every other line of what waits for them: one takes it up, the other approves. */
export async function decide(
  ops: OpsCommands,
  operators: TwoOperators,
  payers: readonly SimulatedPayer[],
): Promise<Decisions> {
  const assignments: Assignment[] = [];
  for (const row of everyOther(await listed(ops, ['credits', 'list'], 'fc'))) {
    const [, minorText = '', currency = ''] = /([\d.]+)\s+([A-Z]{3})\s/.exec(row) ?? [];
    const { customerId } = payers[assignments.length % payers.length]!.scope;
    const id = /fc_[0-9a-z]+/.exec(row)![0];
    await twoOf(ops, operators, ['credits', 'assign', id, '--customer', customerId]);
    assignments.push({ customerId, currency, minor: toMinor(minorText, currency) });
  }
  const creditedLate = new Set<string>();
  const waiting = await listed(ops, ['payments', 'late-returns'], 'pay');
  // Where a second line contradicts the first the money stays where it is: the last column names it.
  const clear = waiting.filter((row) => !row.includes('on no statement') && /\s-\s*$/.test(row));
  for (const row of everyOther(clear)) {
    const id = /pay_[0-9a-z]+/.exec(row)![0];
    await twoOf(ops, operators, ['payments', 'settle-late-return', id, '--as', 'credit']);
    creditedLate.add(id);
  }
  return { assignments, creditedLate };
}

const everyOther = (rows: readonly string[]) => rows.filter((_row, index) => index % 2 === 0);

async function listed(ops: OpsCommands, command: readonly string[], prefix: string) {
  const { code, printed } = await ops(...command);
  expect(code, printed).toBe(0);
  return printed.split('\n').filter((row) => row.includes(`${prefix}_`));
}

async function twoOf(
  ops: OpsCommands,
  operators: TwoOperators,
  command: readonly string[],
): Promise<void> {
  const proposed = await ops(...command, ...by('ada'));
  expect(proposed.code, proposed.printed).toBe(0);
  const proposal = /apr_[0-9a-z]+/.exec(proposed.printed)?.[0] ?? '';
  const alone = await operators.approve(proposal, 'ada');
  expect(alone.code, 'one operator alone').toBe(1);
  const approved = await operators.approve(proposal, 'ben');
  expect(approved.code, approved.printed).toBe(0);
}
