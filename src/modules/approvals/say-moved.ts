import { ApprovalRefused } from './approval-refused.ts';

/**
 * Rethrows what the database answered, as ApprovalRefused where another line that shows the same booking has moved its
 * money: which one, and by what, is in the message.
 */
export function sayMoved(error: unknown): never {
  if (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'a_booking_ends_once'
  ) {
    throw new ApprovalRefused(error.message);
  }
  throw error;
}
