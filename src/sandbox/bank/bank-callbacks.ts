import type { Clock } from '../../domain/clock.ts';
import type { CallbackSender } from '../callback-sender.ts';
import type { TimerSet } from '../timer-set.ts';
import type { TransferStatus } from './bank-fact.ts';
import { callbackKey } from './bank-state.ts';
import type { Transfer } from './bank-state.ts';
import type { BankJournal } from './bank-journal.ts';

interface PlannedCallback {
  readonly index: number;
  /** The webhook-id. Two callbacks with the same id are a duplicate that the receiver must drop. */
  readonly id: string;
  readonly status: TransferStatus;
}

/**
 * The callbacks that a transfer in its present state calls for. Derived, never stored: after a
 * restart the ones still owed are those without a CALLBACK_SENT or CALLBACK_ABANDONED fact.
 */
function plannedCallbacks(transfer: Transfer): PlannedCallback[] {
  const { reference, behaviour } = transfer.received;
  const { status } = transfer;
  if (status === behaviour.answers && !transfer.isAdvanced) return [];
  const sequence: ReadonlyArray<readonly [id: number, status: TransferStatus]> =
    behaviour.callbacks === 'SHUFFLED'
      ? [
          [1, status],
          [1, status],
          [2, status],
          [3, 'ACCEPTED'],
        ]
      : [[1, status]];
  return sequence.map(([number, of], index) => {
    return { index, id: `cb_${reference}_${of}_${number}`, status: of };
  });
}

interface BankCallbacksDeps {
  readonly journal: BankJournal;
  readonly sender: CallbackSender;
  readonly timers: TimerSet;
  readonly clock: Clock;
  readonly spacingMs: number;
}

export interface BankCallbacks {
  /** Sends what is owed, each on its own, so that a failing one does not hold the next. */
  dispatch(transfer: Transfer): void;
  /** Sends what is owed now and resolves when each was delivered or given up. */
  deliver(transfer: Transfer): Promise<void>;
}

export function createBankCallbacks(deps: BankCallbacksDeps): BankCallbacks {
  const { journal, sender, timers, clock, spacingMs } = deps;

  async function send(transfer: Transfer, planned: PlannedCallback): Promise<void> {
    const { reference, bankReference } = transfer.received;
    const isChange = planned.status === transfer.status;
    const outcome = await sender.send(planned.id, {
      reference,
      status: planned.status,
      bankReference,
      ...(isChange && transfer.reason !== undefined ? { reason: transfer.reason } : {}),
      ...(isChange && transfer.returnedLess !== undefined ? { amount: transfer.returnedLess } : {}),
      at: isChange ? transfer.changedAt : transfer.received.at,
    });
    if (outcome === 'STOPPED') return;
    await journal.record({
      fact: outcome === 'DELIVERED' ? 'CALLBACK_SENT' : 'CALLBACK_ABANDONED',
      at: clock.now().toISOString(),
      reference,
      index: planned.index,
      id: planned.id,
    });
  }

  function owed(transfer: Transfer): PlannedCallback[] {
    return plannedCallbacks(transfer).filter(
      (planned) => !transfer.closedCallbacks.has(callbackKey(planned)),
    );
  }

  return {
    dispatch(transfer) {
      for (const planned of owed(transfer)) {
        timers.after(planned.index * spacingMs, () => send(transfer, planned));
      }
    },
    async deliver(transfer) {
      await Promise.all(owed(transfer).map((planned) => send(transfer, planned)));
    },
  };
}
