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

/** The dashboard. Beyond one scope it logs users in, and sees nothing of an operator. */
export const DASHBOARD_ROLES: DatabaseRoles = {
  app: 'causeway_dashboard',
  system: 'causeway_entry',
};

/** The console: the one process that decides, and puts into effect what two operators approved. */
export const CONSOLE_ROLES: DatabaseRoles = {
  app: 'causeway_effects',
  system: 'causeway_console',
};

/** The operators' commands: they read, submit proposals, and do what one operator may do. They decide nothing. */
export const OPS_ROLES: DatabaseRoles = { app: 'causeway_dashboard', system: 'causeway_ops' };

/** What seals stored values anew. No process has it; a login of commands gets it for the run. */
export const RESEALING_ROLES: DatabaseRoles = {
  app: 'causeway_resealer',
  system: 'causeway_resealer',
};

/** The process that signs: the one that writes what signer accounts send, and speaks for the chain. */
export const CHAIN_ROLES: DatabaseRoles = { app: 'causeway_app', system: 'causeway_chain' };
