import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

/** An event's first arrival. */
export interface Arrival {
  readonly type: string;
  readonly resourceId: string;
  /** By `nowMs`. */
  readonly atMs: number;
}

export interface Arrivals {
  readonly arrivals: readonly Arrival[];
  /** Repeated deliveries included. */
  readonly requests: number;
}

/** One webhook as it came, for sending it again. */
export interface KeptRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A partner's receiver of webhooks, in a process of its own. It answers 204 at once. */
export interface BenchReceiver {
  readonly url: string;
  readonly pid: number;
  /** How many events of a type came, each counted once. */
  count(type: string): Promise<number>;
  /** How many requests came, without looking into them. */
  countRequests(): Promise<number>;
  arrivals(): Promise<Arrivals>;
  /** When each request came, by `nowMs`. */
  arrivalTimes(): Promise<readonly number[]>;
  /** Writes what came into a file: one `KeptRequest` a line, as JSON. */
  keepRequests(file: string): Promise<void>;
  /** Forgets what came so far. */
  forget(): Promise<void>;
}

/** Starts the receiver; it ends with the scope. */
export async function startReceiver(scope: RunScope): Promise<BenchReceiver> {
  const program = await startProgram(scope, 'receiver');
  return {
    url: await program.ask<string>('url'),
    pid: program.pid,
    count: (type) => program.ask('count', type),
    countRequests: () => program.ask('countRequests'),
    arrivals: () => program.ask('arrivals'),
    arrivalTimes: () => program.ask('arrivalTimes'),
    keepRequests: (file) => program.ask('keepRequests', file),
    forget: () => program.ask('forget'),
  };
}
