import { watchMemory } from '../processes/watch-memory.ts';
import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

export interface ParseReport {
  readonly lines: number;
  readonly tookMs: number;
}

/**
 * Parses a statement's file in a process of its own, which is gone when this answers: how long it took
 * the second time, and the most memory that the process held, in bytes.
 */
export async function measureParsing(
  scope: RunScope,
  file: string,
): Promise<ParseReport & { readonly peakBytes: number }> {
  const program = await startProgram(scope, 'parse-statement');
  const watch = watchMemory(scope, program.pid);
  try {
    // Once to warm up, as the engine is.
    await program.ask('measure', file);
    const report = await program.ask<ParseReport>('measure', file);
    return { ...report, peakBytes: watch.stop().peakBytes };
  } finally {
    await program.stop();
  }
}
