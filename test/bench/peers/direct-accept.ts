import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

export interface DirectOrder {
  /** Of the PostgreSQL server; a superuser's. */
  readonly serverUrl: string;
  /** How many accept at the same time, and how many customers they belong to. */
  readonly clients: number;
  readonly customers: number;
  readonly seconds: number;
  /** Payments before the measured ones. */
  readonly warmUp: number;
}

export interface DirectReport {
  readonly payments: number;
  readonly tookMs: number;
  /** Processor time of the process that called the use case, in ms. */
  readonly cpuMs: number;
}

/**
 * Accepts payments by the use case of the bench's own checkout in a process of its own, which is gone
 * when this answers.
 */
export async function measureDirectAccept(
  scope: RunScope,
  order: DirectOrder,
): Promise<DirectReport> {
  const program = await startProgram(scope, 'direct-accept');
  try {
    return await program.ask<DirectReport>('measure', order);
  } finally {
    await program.stop();
  }
}
