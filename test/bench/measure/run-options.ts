import type { Roles } from '../engine/engine-environment.ts';
import type { LoadEnd } from '../load/post-payments.ts';

/** What every measurement is told. */
export interface RunOptions {
  /** The checkout that is measured. */
  readonly folder: string;
  readonly roles: Roles;
  /** How many post at the same time. */
  readonly clients: number;
  readonly customers: number;
  readonly end: LoadEnd;
  /** Payments before those that are measured. */
  readonly warmUp: number;
  /** Payments that the database holds beside them: copies of those before. */
  readonly stored: number;
  /** How long the yardsticks run, in seconds. */
  readonly yardstickSeconds: number;
  /** Webhook events (`webhooks`). */
  readonly events: number;
  /** How often they are delivered, and the same posted by plain clients, in turn (`webhooks`). */
  readonly rounds: number;
  /** Lines of the statement (`statements`). */
  readonly lines: number;
  /** Where `costs` lists every statement; null for nowhere. */
  readonly statementsFile: string | null;
  /** Hears what is being done. */
  readonly say: (line: string) => void;
}
