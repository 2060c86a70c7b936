import pg from 'pg';
import { vi } from 'vitest';

/** How many statements this process sends to PostgreSQL while work runs. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}
