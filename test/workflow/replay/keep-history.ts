import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Engine } from '../../support/workflow/engine-harness.ts';

const FOLDER = join(import.meta.dirname, 'histories');

/** Writes one history beside the others; one that is there already stays as it is. */
export async function keepHistory(engine: Engine, name: string, workflowId: string): Promise<void> {
  const file = join(FOLDER, `${name}.json`);
  if (existsSync(file)) return;
  const history = await engine.handle(workflowId).fetchHistory();
  const { events } = JSON.parse(historyToJSON(history)) as { events: unknown[] };
  writeFileSync(file, `${JSON.stringify({ workflowId, events }, withoutMachine, 1)}\n`);
}

/** Who recorded it, and on which machine, is no part of a replay. */
const withoutMachine = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d+@/.test(value) ? 'recorder' : value;
