import type { DatabaseRole } from '../client/pool.ts';

/** The roles that the two pools of a process work as. */
export interface DatabaseRoles {
  /** Bound to one scope a transaction. */
  readonly app: DatabaseRole;
  /** Sees every scope. */
  readonly system: DatabaseRole;
}

/** API and worker: neither can make a key, nor let an address in. */
export const SERVICE_ROLES: DatabaseRoles = { app: 'causeway_app', system: 'causeway_system' };

/** What people work through: dashboard, console and the operators' commands. */
export const PEOPLE_ROLES: DatabaseRoles = {
  app: 'causeway_dashboard',
  system: 'causeway_console',
};

/** The process that signs: the one that writes what signer accounts send, and speaks for the chain. */
export const CHAIN_ROLES: DatabaseRoles = { app: 'causeway_app', system: 'causeway_chain' };
