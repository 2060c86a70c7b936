import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

export interface BareOrder {
  /** Of the Temporal server, as host:port. */
  readonly address: string;
  readonly inFlight: number;
  readonly seconds: number;
  /** Workflows before the measured ones. */
  readonly warmUp: number;
}

export interface BareReport {
  readonly workflows: number;
  /** From the first start to the end of the last workflow, in ms. */
  readonly tookMs: number;
  /** Processor time of client and worker, in ms. */
  readonly cpuMs: number;
}

/** Runs bare workflows in a process of its own, which is gone when this answers. */
export async function measureBareTemporal(scope: RunScope, order: BareOrder): Promise<BareReport> {
  const program = await startProgram(scope, 'bare-temporal');
  try {
    return await program.ask<BareReport>('measure', order);
  } finally {
    await program.stop();
  }
}
