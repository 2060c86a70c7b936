import type { Surface } from './rights.ts';

/** How long a session holds, in minutes, and how many a person may have at once. */
interface SessionLife {
  /** Without use. A page that refreshes itself is no use. */
  readonly idleMinutes: number;
  /** At the most, whatever is done with it. */
  readonly absoluteMinutes: number;
}

export const SESSION_LIVES: Readonly<Record<Surface, SessionLife>> = {
  dashboard: { idleMinutes: 30, absoluteMinutes: 12 * 60 },
  console: { idleMinutes: 15, absoluteMinutes: 8 * 60 },
};

/** The oldest goes when a person opens one more. */
export const SESSIONS_MAX = 5;
