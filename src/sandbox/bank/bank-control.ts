import { BANK_MOVES, type AdvanceOrder } from '../../domain/sandbox/bank-control.ts';
import { answerJson, BadInput, type SandboxReply } from '../sandbox-server.ts';
import type { BankJournal } from './bank-journal.ts';
import type { StatementService } from './statement-service.ts';
import type { TransferService } from './transfer-service.ts';
import { isReference } from './transfer-request.ts';

const UNKNOWN = { error: 'unknown_transfer', message: 'The bank never received this transfer.' };

interface BankControlDeps {
  readonly journal: BankJournal;
  readonly transfers: TransferService;
  readonly statements: StatementService;
}

/** Moves transfers by hand, to nowhere that they could not come to by themselves. */
export function createBankControl({ journal, transfers, statements }: BankControlDeps) {
  return async ({ reference, to, reason }: AdvanceOrder): Promise<SandboxReply> => {
    const transfer = journal.state.transfer(reference);
    if (transfer === undefined) return answerJson(409, UNKNOWN);
    const isDone =
      to === 'ON_STATEMENT'
        ? await statements.cutFor(transfer)
        : await transfers.advance(transfer, to, reason);
    const { status } = transfer;
    if (isDone) return answerJson(200, { reference, status });
    const message = `no way leads there from ${status}`;
    return answerJson(409, { error: 'not_possible', status, message });
  };
}

/** Reads the body of `POST /advances`. Throws BadInput that names the field. */
export function readAdvance(body: unknown): AdvanceOrder {
  const { reference, to, reason } = (body ?? {}) as Record<string, unknown>;
  if (typeof reference !== 'string' || !isReference(reference)) {
    throw new BadInput(400, 'reference', 'must be [A-Z0-9]{1,35}');
  }
  const move = BANK_MOVES.find((name) => name === to);
  if (move === undefined) throw new BadInput(400, 'to', `one of ${BANK_MOVES.join(', ')}`);
  if (reason === undefined) return { reference, to: move };
  if (typeof reason !== 'string' || !/^[A-Z0-9_-]{1,35}$/.test(reason)) {
    throw new BadInput(400, 'reason', 'must be a code of up to 35 characters');
  }
  return { reference, to: move, reason };
}
