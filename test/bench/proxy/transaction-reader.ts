import type { FrontendMessage } from './frontend-reader.ts';

/** What one connection did between BEGIN and its end, or one statement that stood alone. */
export interface Transaction {
  /** In order, BEGIN and COMMIT included. */
  readonly statements: readonly string[];
  /** How often the server was waited for. */
  readonly roundTrips: number;
  readonly end: 'COMMIT' | 'ROLLBACK';
  /** Whether it may have written something, by its texts. */
  readonly isWrite: boolean;
}

const WRITES = /\b(insert\s+into|update\s+(?!of\b|skip\b|nowait\b)\w|delete\s+from|merge\s+into)/i;

/** Functions that write as a rule. */
const WRITING_CALL = /\b(record_in|record_batch_in|end)_webhook_drain\(/i;

/** Whether a statement says that it writes rows. Of functions only those that are named here show it. */
export const isWriting = (text: string): boolean => WRITES.test(text) || WRITING_CALL.test(text);

/** Puts what one connection's client says together to transactions. */
export function createTransactionReader(
  onTransaction: (transaction: Transaction) => void,
): (message: FrontendMessage) => void {
  const texts = new Map<string, string>();
  const portals = new Map<string, string>();
  let statements: string[] = [];
  let roundTrips = 0;
  let isOpen = false;

  function finish(end: Transaction['end']): void {
    const begin = statements[0] ?? '';
    const isReadOnly = /^begin\b[^;]*\bread only\b/i.test(begin);
    // A transaction that may write is taken for a write; a statement that stands alone says so itself.
    const isWrite = !isReadOnly && (isBegin(begin) || isWriting(begin));
    onTransaction({ statements, roundTrips: Math.max(roundTrips, 1), end, isWrite });
    statements = [];
    roundTrips = 0;
    isOpen = false;
  }

  function execute(text: string): void {
    statements.push(text.trim());
    if (isBegin(text)) isOpen = true;
    if (/^(\s*|.*;\s*)(commit|end)\b\s*;?\s*$/is.test(text)) finish('COMMIT');
    else if (/^\s*rollback\b(?!\s+to\b)/i.test(text)) finish('ROLLBACK');
    else if (!isOpen) finish('COMMIT');
  }

  return (message) => {
    switch (message.kind) {
      case 'QUERY':
        roundTrips += 1;
        execute(message.text);
        break;
      case 'PARSE':
        texts.set(message.statement, message.text);
        break;
      case 'BIND':
        portals.set(message.portal, message.statement);
        break;
      case 'EXECUTE':
        execute(texts.get(portals.get(message.portal) ?? '') ?? '');
        break;
      case 'SYNC':
        // The one that follows a transaction's last statement belongs to that statement.
        if (statements.length > 0) roundTrips += 1;
        break;
    }
  };
}

const isBegin = (text: string): boolean => /^\s*(begin|start\s+transaction)\b/i.test(text);
