import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { BankMove } from '../../domain/sandbox/bank-control.ts';
import type { BankFault } from '../../domain/sandbox/bank-faults.ts';
import { NOT_FOUND, answerJson } from '../sandbox-server.ts';
import type { SandboxReply } from '../sandbox-server.ts';
import type { TimerSet } from '../timer-set.ts';
import type { ArmedFaults } from './armed-faults.ts';
import type { BankCallbacks } from './bank-callbacks.ts';
import type { Transfer } from './bank-state.ts';
import type { BankJournal } from './bank-journal.ts';
import type { BankTimings } from './bank-timings.ts';
import { NO_FLAW, REFUSALS_MAX, behaviourOf, faultByCents, returnedMinor } from './behaviour.ts';
import type { AnswerFlaw, Behaviour } from './behaviour.ts';
import { faultEffect } from './faults.ts';
import type { FaultQueue } from './faults.ts';
import type { TransferRequest } from './transfer-request.ts';

interface TransferServiceDeps {
  readonly journal: BankJournal;
  readonly faults: FaultQueue;
  readonly armed: ArmedFaults;
  readonly callbacks: BankCallbacks;
  readonly timers: TimerSet;
  readonly clock: Clock;
  /** Do amounts choose the behaviour? */
  readonly magic: boolean;
  readonly timings: BankTimings;
}

export interface TransferService {
  put(reference: string, request: TransferRequest): Promise<SandboxReply>;
  get(reference: string): Promise<SandboxReply>;
  /**
   * Moves a transfer now, as the bank would by itself, and tells it by callback. One that stands there already
   * is only told of from now on. False where no way leads there: money moves once out and once back at the most.
   */
  advance(transfer: Transfer, to: Settling, reason?: string): Promise<boolean>;
  /** Takes up what a stopped process left open: outcomes that are due, callbacks that are owed. */
  resume(): void;
}

/** Where a transfer can be moved by itself. */
type Settling = Exclude<BankMove, 'ON_STATEMENT'>;

const REFUSED = answerJson(503, {
  error: 'unavailable',
  message: 'The transfer was not accepted. Try again later.',
});
const UNKNOWN = answerJson(500, { error: 'unknown', message: 'The outcome is not known yet.' });
const OTHER_BODY = answerJson(409, {
  error: 'reference_taken',
  message: 'The reference belongs to a transfer with another body.',
});

/** Receives transfers, decides them and answers for them. Nothing is answered before it is on disk. */
export function createTransferService(deps: TransferServiceDeps): TransferService {
  const { journal, faults, armed, callbacks, timers, clock, magic, timings } = deps;
  const { state } = journal;
  /** Questions asked about transfers whose truth is held back; a restart counts anew. */
  const asks = new Map<string, number>();
  const now = () => clock.now().toISOString();

  function isHeldBack(transfer: Transfer): boolean {
    const { reference, behaviour } = transfer.received;
    return !transfer.isAdvanced && (asks.get(reference) ?? 0) < behaviour.unknownAsks;
  }

  /** Says nothing at all, as long as nothing has become of it. */
  function isMute({ status, received }: Transfer): boolean {
    return received.behaviour.outcome === 'NOTHING' && status === 'ACCEPTED';
  }

  /** What a transfer meets: one that was armed for its customer goes before the cents. */
  function faultOf(reference: string, request: TransferRequest): BankFault | null {
    if (!magic) return null;
    const { onBehalfOf, amountMinor, currency } = request;
    return armed.take(reference, onBehalfOf) ?? faultByCents(amountMinor, currency);
  }

  function mustRefuse(reference: string): boolean {
    const refusals = state.factsOf(reference).filter(({ fact }) => fact === 'REFUSED_503');
    return refusals.length < REFUSALS_MAX;
  }

  async function refuse(reference: string): Promise<SandboxReply> {
    await journal.record({ fact: 'REFUSED_503', at: now(), reference });
    return REFUSED;
  }

  /** Written together and answered after `flush`: a failed write makes that one fail too. */
  function receive(reference: string, request: TransferRequest, behaviour: Behaviour): Transfer {
    const { amountMinor, currency, rail, bodyHash } = request;
    const amount = formatAmount(amountMinor, currency);
    const bankReference = bankReferenceOf(reference);
    record({
      ...{ fact: 'RECEIVED', at: now(), reference, amount, currency },
      ...{ rail, bankReference, bodyHash, behaviour },
    });
    const transfer = state.transfer(reference);
    if (transfer === undefined) throw new Error('the state lacks a transfer that was received');
    const { outcome } = behaviour;
    if (outcome === 'SETTLED' || outcome === 'RETURNED_LATER') execute(transfer);
    if (outcome === 'REJECTED') reject(transfer);
    return transfer;
  }

  function record(fact: Parameters<BankJournal['record']>[0]): void {
    // The answer that tells of the fact waits for `flush`, which fails where this one did.
    journal.record(fact).catch(() => {});
  }

  function execute({ received: { reference, amount, currency } }: Transfer): void {
    record({ fact: 'EXECUTED', at: now(), reference, amount, currency });
  }

  function reject({ received: { reference, behaviour } }: Transfer, told?: string): void {
    const reason = told ?? behaviour.reason ?? 'ACCOUNT_NOT_FOUND';
    record({ fact: 'REJECTED', at: now(), reference, reason });
  }

  function giveBack({ received, amountMinor }: Transfer, told?: string): void {
    const { reference, currency, behaviour } = received;
    const amount = formatAmount(returnedMinor(amountMinor, behaviour), currency);
    const reason = told ?? behaviour.reason ?? 'ACCOUNT_CLOSED';
    record({ fact: 'RETURNED', at: now(), reference, amount, currency, reason });
  }

  const MOVES: Readonly<Record<Settling, (transfer: Transfer, told?: string) => void>> = {
    SETTLED: execute,
    REJECTED: reject,
    RETURNED: giveBack,
  };

  /** Sets the timer for the change that is still to come and sends the callbacks of the last one. */
  function pursue(transfer: Transfer): void {
    const change = comingChange(transfer);
    if (change === null) {
      callbacks.dispatch(transfer);
      return;
    }
    const dueAt = Date.parse(transfer.changedAt) + change.afterMs;
    const { status } = transfer;
    timers.after(dueAt - clock.now().getTime(), async () => {
      // It was moved by hand meanwhile, and that was told.
      if (transfer.status !== status) return;
      change.make(transfer);
      await journal.flush();
      callbacks.dispatch(transfer);
    });
  }

  function comingChange(
    transfer: Transfer,
  ): { afterMs: number; make: (transfer: Transfer) => void } | null {
    const { outcome } = transfer.received.behaviour;
    const { decideAfterMs, returnAfterMs } = timings;
    if (transfer.status === 'ACCEPTED') {
      // Facts of one transfer can be torn apart by a kill: what was to happen at once happens now.
      if (outcome === 'SETTLED' || outcome === 'RETURNED_LATER') {
        return { afterMs: 0, make: execute };
      }
      if (outcome === 'REJECTED') return { afterMs: 0, make: reject };
      if (outcome === 'SETTLED_LATER') return { afterMs: decideAfterMs, make: execute };
      if (outcome === 'REJECTED_LATER') return { afterMs: decideAfterMs, make: reject };
    }
    if (transfer.status === 'SETTLED' && outcome === 'RETURNED_LATER') {
      return { afterMs: returnAfterMs, make: giveBack };
    }
    return null;
  }

  async function answerPut(
    transfer: Transfer,
    status: 200 | 201,
    flaw: AnswerFlaw,
  ): Promise<SandboxReply> {
    await journal.flush();
    if (timings.executeDelayMs > 0) await wait(timings.executeDelayMs);
    const { reference, bankReference, behaviour } = transfer.received;
    if (isMute(transfer)) return { kind: 'HANG' };
    if (isHeldBack(transfer)) return { kind: 'DROP' };
    const { answers, reason } = behaviour;
    const shown = answers === 'REJECTED' ? { reason } : {};
    return flawed(
      flaw,
      answerJson(status, { reference, status: answers, bankReference, ...shown }),
    );
  }

  async function settleFirst(transfer: Transfer): Promise<void> {
    await journal.flush();
    await Promise.race([callbacks.deliver(transfer), wait(timings.callbackFirstMaxMs)]);
  }

  return {
    async put(reference, request) {
      const known = state.transfer(reference);
      if (known !== undefined && known.received.bodyHash !== request.bodyHash) return OTHER_BODY;
      const order = faults.take(reference);
      const effect = order === null ? null : faultEffect(order);
      if (effect?.kind === 'SWALLOW') return { kind: 'HANG' };
      if (effect?.kind === 'REFUSE') return refuse(reference);
      if (known !== undefined) return answerPut(known, 200, effect?.flaw ?? NO_FLAW);
      const fault = effect === null ? faultOf(reference, request) : null;
      if (fault === 'UNAVAILABLE' && mustRefuse(reference)) return refuse(reference);

      const behaviour = effect?.behaviour ?? behaviourOf(fault, request.rail);
      const transfer = receive(reference, request, behaviour);
      if (effect?.flaw.kind === 'CALLBACK_FIRST') await settleFirst(transfer);
      else pursue(transfer);
      return answerPut(transfer, 201, effect?.flaw ?? NO_FLAW);
    },

    async get(reference) {
      const transfer = state.transfer(reference);
      if (transfer === undefined) return NOT_FOUND;
      await journal.flush();
      if (isMute(transfer)) return { kind: 'HANG' };
      if (isHeldBack(transfer)) {
        asks.set(reference, (asks.get(reference) ?? 0) + 1);
        return UNKNOWN;
      }
      const { status, reason, settledAt, returnedLess: amount } = transfer;
      const { bankReference } = transfer.received;
      return answerJson(200, { reference, status, bankReference, reason, settledAt, amount });
    },

    async advance(transfer, to, reason) {
      const { reference } = transfer.received;
      const isThere = transfer.status === to;
      if (!isThere && transfer.status !== (to === 'RETURNED' ? 'SETTLED' : 'ACCEPTED'))
        return false;
      const isToBeTold = !isThere || !transfer.isAdvanced;
      if (!transfer.isAdvanced) record({ fact: 'ADVANCED', at: now(), reference });
      if (!isThere) MOVES[to](transfer, reason);
      await journal.flush();
      if (isToBeTold) callbacks.dispatch(transfer);
      return true;
    },

    resume() {
      for (const transfer of state.transfers()) pursue(transfer);
    },
  };
}

/** The same at every try, and unlike any other bank's: what a real one would print on a statement. */
function bankReferenceOf(reference: string): string {
  return `SB${createHash('sha256').update(reference).digest('hex').slice(0, 18).toUpperCase()}`;
}

async function flawed(flaw: AnswerFlaw, answer: SandboxReply): Promise<SandboxReply> {
  switch (flaw.kind) {
    case 'NONE':
    case 'CALLBACK_FIRST':
      return answer;
    case 'WAIT':
      await wait(flaw.ms);
      return answer;
    case 'ERROR_500':
      return answerJson(500, {
        error: 'internal_error',
        message: 'The sandbox was configured to fail.',
      });
    case 'GARBAGE':
      return { kind: 'TEXT', status: 200, contentType: 'text/html', chunks: ['<html>{"status":'] };
    case 'DROP':
    case 'HANG':
      return { kind: flaw.kind };
  }
}
