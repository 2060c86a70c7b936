import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { Database } from '../../db/client/database.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { StatementProblemRow, StatementRow } from '../../db/reconciliation/statement-store.ts';
import {
  acceptUnprovenLines,
  sumUnprovenLines,
} from '../../db/reconciliation/unproven-line-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { PLATFORM_ACCOUNT } from '../../domain/platform-account.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';

interface AcceptSumsDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Sums are accepted as they are: a statement that was read never changes. */
const VERSION = 1;

/**
 * Proposes that the lines of a statement, or of one of its entries, have their effect although the sums do not add up.
 * Null where a proposal about the same waits already. Throws ApprovalRefused where no line waits.
 */
export async function proposeSums(
  deps: AcceptSumsDeps,
  statement: StatementRow,
  entry: number | null,
  act: OperatorAct,
): Promise<string | null> {
  const { id, environment, bankStatementId, problems } = statement;
  const waiting = await deps.db.system((tx) => sumUnprovenLines(tx, id, entry));
  if (waiting.length === 0) throw new ApprovalRefused(NOTHING_WAITS);
  const content = {
    ...{ statementId: String(id), bankStatementId },
    ...(entry === null ? {} : { entry }),
    expected: problems.flatMap((problem) => expectedBy(problem, entry)),
    credited: waiting.map(
      ({ lines, amount, currency }) => `${String(lines)} lines, ${amount} ${currency}`,
    ),
  };
  const subjectId = entry === null ? String(id) : `${String(id)}/${String(entry)}`;
  const scope = { customerId: PLATFORM_ACCOUNT, environment };
  const about = { subjectId, subjectVersion: VERSION, content };
  return proposeApproval(deps, scope, { action: 'STATEMENT_SUMS', ...about }, act);
}

/** What the bank's own sums say, beside what its lines add up to. */
function expectedBy(problem: StatementProblemRow, entry: number | null): string[] {
  const { code, currency, entry: number, booked, transactions, opening, closing } = problem;
  if (code === 'BATCH_MISMATCH' && (entry === null || number === entry)) {
    const [sum, ofDetails] = [said(booked), said(transactions)];
    return [`entry ${said(number)}: ${sum} ${said(currency)}, its transactions ${ofDetails}`];
  }
  if (code === 'BALANCE_MISMATCH') {
    const sums = `opening ${said(opening)}, entries ${said(booked)}, closing ${said(closing)}`;
    return [`${said(currency)}: ${sums}`];
  }
  return [];
}

const said = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '–';

/** Does what two operators approved. Throws ApprovalRefused where no line waits any more. Answers how many did. */
export async function acceptSums(
  { db, clock }: AcceptSumsDeps,
  approval: ApprovalRow,
): Promise<number> {
  const { environment, subjectId, reason, proposedBy, content } = approval;
  const scope = { customerId: PLATFORM_ACCOUNT, environment };
  const entry = content['entry'] === undefined ? null : Number(content['entry']);
  return db.write(scope, async (tx) => {
    const at = clock.now();
    await useApproval(tx, scope, approval, VERSION, at);
    const statementId = BigInt(String(content['statementId']));
    const accepted = await acceptUnprovenLines(tx, subjectId, statementId, entry);
    if (accepted === 0) throw new ApprovalRefused(NOTHING_WAITS);
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
      action: 'statement.accept_sums',
      scope,
      subject: `statements/${subjectId}`,
      details: { approval: approval.id, proposedBy, reason, ...content },
    });
    return accepted;
  });
}

const NOTHING_WAITS = 'No line of it waits because of its sums.';
