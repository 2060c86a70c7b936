import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

/** undici as a library, or Node's own fetch. */
export type PlainClient = 'undici' | 'fetch';

export interface PlainOrder {
  readonly client: PlainClient;
  readonly url: string;
  /** One `KeptRequest` a line. */
  readonly file: string;
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** So many of them are sent once more before those that are measured. */
  readonly warmUp: number;
}

export interface PlainReport {
  readonly requests: number;
  readonly tookMs: number;
  /** Processor time of the client, in ms. */
  readonly cpuMs: number;
}

/** Posts the requests of a file in a process of its own, which is gone when this answers. */
export async function measurePlainPosts(scope: RunScope, order: PlainOrder): Promise<PlainReport> {
  const program = await startProgram(scope, 'plain-poster');
  try {
    return await program.ask<PlainReport>('measure', order);
  } finally {
    await program.stop();
  }
}
