import type { CorridorTable } from '../domain/corridors/corridor-table.ts';
import type { Environment } from '../domain/scope.ts';
import type { EncodeTransfer } from './ready-attempt.ts';

/** Where money can go, and over which rails a connector of the environment pays. */
export interface ServedCorridors {
  readonly corridors: CorridorTable;
  readonly isServed: (rail: string) => boolean;
}

export interface CorridorDeps {
  readonly corridors: CorridorTable;
  /** How the environment's connector of a rail writes its orders; null where none pays over the rail. */
  readonly encoderFor: (environment: Environment, rail: string) => EncodeTransfer | null;
}

/** The corridors that a payment of the environment can take. */
export function servedIn(
  { corridors, encoderFor }: CorridorDeps,
  environment: Environment,
): ServedCorridors {
  return { corridors, isServed: (rail) => encoderFor(environment, rail) !== null };
}
