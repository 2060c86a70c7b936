import type { ChainBook } from '../../adapters/evm/chain-rail.ts';
import { findChainTransfer, takeChainTransfer } from '../../db/onchain/chain-transfer-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { BackgroundWork } from '../temporal/background-work.ts';

export interface ChainBookDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowClient, 'wakeChain'>;
  readonly wakes: Pick<BackgroundWork, 'run'>;
}

/** The book of transfers of one environment, as the database keeps it. */
export function openChainBook(deps: ChainBookDeps, environment: Environment): ChainBook {
  const { db, clock, workflows, wakes } = deps;
  return {
    take: (order, body) => takeChainTransfer(db, environment, order, body, clock.now()),
    find: (reference) => findChainTransfer(db, environment, reference),
    wake: (network) => {
      wakes.run('wake chain', () => workflows.wakeChain({ environment, network }));
    },
  };
}
