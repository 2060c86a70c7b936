import {
  markLinesCredited,
  readCreditingLines,
  type CreditedLine,
  type CreditingLineRow,
} from '../../../db/ledger/crediting-line-store.ts';
import type { StatementOrigin } from '../../../db/reconciliation/statement-store.ts';
import { postCredits, type PostDeps } from './post-credits.ts';
import { reverseCredit } from './reverse-credit.ts';
import { takeCredits, type TakenLine } from './take-credits.ts';

const CHUNK_LINES = 200;

export interface ApplyCreditsDeps extends PostDeps {
  readonly heartbeat: (line: number) => void;
}

/**
 * Credits what came in on the statements of a bank and is no payment's, and takes back what the bank
 * took back, in the order of the lines. Whose a booking is is written first, then the books, then the
 * line: a worker that dies in between leaves it to the next one, which finds what was decided. Lines
 * that fail are left open. Answers the errors of this statement's own lines: those of another one hold
 * up that one alone.
 */
export async function applyCredits(
  deps: ApplyCreditsDeps,
  statement: StatementOrigin & { readonly id: bigint },
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (let after = { statementId: 0n, line: 0 }; ;) {
    const chunk = await deps.db.system((tx) =>
      readCreditingLines(tx, statement, after, CHUNK_LINES),
    );
    const last = chunk.at(-1);
    if (last === undefined) break;
    for (const lines of inTurns(chunk)) {
      const found = await applyTurn(deps, statement, lines).catch((error: unknown) => [error]);
      if (lines[0]?.statementId === statement.id) faults.push(...found);
    }
    deps.heartbeat(last.line);
    after = last;
  }
  return faults;
}

/**
 * Credits of one statement together, and each reversal alone: those before it come first, for it may
 * undo one of them.
 */
function inTurns(lines: readonly CreditingLineRow[]): CreditingLineRow[][] {
  const turns: CreditingLineRow[][] = [];
  for (const line of lines) {
    const turn = turns.at(-1);
    const before = turn?.at(-1);
    const isTogether =
      before?.statementId === line.statementId &&
      before.outcome === 'CREDIT' &&
      line.outcome === 'CREDIT';
    if (isTogether) turn?.push(line);
    else turns.push([line]);
  }
  return turns;
}

async function applyTurn(
  deps: ApplyCreditsDeps,
  origin: StatementOrigin,
  lines: readonly CreditingLineRow[],
): Promise<unknown[]> {
  const [first] = lines;
  if (first?.outcome !== 'CREDIT_REVERSAL') return creditLines(deps, origin, lines);
  await takeBack(deps, origin, first);
  return [];
}

async function takeBack(
  deps: ApplyCreditsDeps,
  origin: StatementOrigin,
  line: CreditingLineRow,
): Promise<void> {
  const reversed = await reverseCredit(deps, origin, line);
  await deps.db.system((tx) => markLinesCredited(tx, [reversed]));
}

async function creditLines(
  deps: ApplyCreditsDeps,
  origin: StatementOrigin,
  lines: readonly CreditingLineRow[],
): Promise<unknown[]> {
  const at = deps.clock.now();
  const taken = await deps.db.system((tx) => takeCredits(tx, origin, lines, at));
  const credits = taken.flatMap(({ credit }) => credit ?? []);
  const faults = await postCredits(deps, origin.environment, credits);
  const done = taken.filter(({ credit }) => credit === null || !faults.has(credit.id));
  await deps.db.system((tx) => markLinesCredited(tx, done.map(creditedLine)));
  return [...faults.values()];
}

function creditedLine(taken: TakenLine): CreditedLine {
  const { line, credit } = taken;
  const done = { statementId: line.statementId, line: line.line, creditId: credit?.id ?? null };
  const exception = exceptionOf(taken);
  return { ...done, outcome: exception === null ? 'CREDIT' : 'EXCEPTION', exception };
}

/** A marked return that several reports show is one exception, of the line that showed it first. */
function exceptionOf({ line, credit, isContradicted }: TakenLine): string | null {
  if (isContradicted) return 'DUPLICATE_AT_BANK';
  if (credit === null) return 'UNKNOWN_RETURN';
  const { unmatchedReason } = credit;
  if (unmatchedReason === 'POSSIBLE_DUPLICATE') return unmatchedReason;
  const isRepeated = credit.statementId !== line.statementId || credit.line !== line.line;
  if (unmatchedReason === 'MARKED_RETURN' && isRepeated) return null;
  return unmatchedReason === null ? null : 'UNKNOWN_RETURN';
}
