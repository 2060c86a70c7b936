import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isProcessAlive } from '../embedded/process-facts.ts';

const DESCRIPTION = /^npm run listen \(machine ([0-9a-f]{12}), port (\d+), process (\d+)\)$/;

/** What a listener's endpoint is told by. The machine's name is hashed: it may be a person's. */
export interface Listener {
  readonly machine: string;
  readonly port: number;
  readonly pid: number;
}

/** The listener that this process is, once it has its port. */
export function thisListener(port: number): Listener {
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
  return { machine, port, pid: process.pid };
}

export function describeListener({ machine, port, pid }: Listener): string {
  return `npm run listen (machine ${machine}, port ${port}, process ${pid})`;
}

/**
 * Whether an endpoint's description is of a listener on this machine that has ended without deleting it: its
 * process is gone, or its port is ours now.
 */
export function isLeftBehind(
  description: string | null,
  own: Listener,
  isAlive: (pid: number) => boolean = isProcessAlive,
): boolean {
  const [, machine, port, pid] = DESCRIPTION.exec(description ?? '') ?? [];
  if (machine !== own.machine) return false;
  return Number(port) === own.port || !isAlive(Number(pid));
}
