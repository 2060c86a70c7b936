import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { DetachedProcess } from './detached-process.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { RETENTION_DAYS } from './temporal-settings.ts';

/** Name to type, as `temporal server start-dev --search-attribute` spells the types. */
export type SearchAttributeTypes = Readonly<
  Record<string, 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList'>
>;

const NAMESPACE = 'default';
const FRONTEND = 'temporal.api.workflowservice.v1.WorkflowService';
const START_TIMEOUT_MS = 60_000;
const ASK_EVERY_MS = 100;
// temporal.api.enums.v1.IndexedValueType
const TYPE_NUMBERS = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
} as const;

/** Waits until the frontend says it serves and knows the namespace; ends when the server ends. */
export async function waitUntilTemporalAnswers(
  address: string,
  server: DetachedProcess,
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!server.hasExited() && performance.now() < deadline) {
    if (await isServing(address)) return;
    await pause(ASK_EVERY_MS);
  }
  const what = server.hasExited()
    ? 'ended at once'
    : `did not answer in ${START_TIMEOUT_MS / 1000} s`;
  throw new PlainError(`The Temporal server ${what}. It said:\n${server.lastLines().join('\n')}`);
}

async function isServing(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: 2000 });
    const { healthService, workflowService } = connection;
    const health = await healthService.check({ service: FRONTEND });
    await workflowService.describeNamespace({ namespace: NAMESPACE });
    return health.status === 1;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/**
 * Sets what start-dev sets only when it creates its file, or not at all: retention, and search
 * attributes that came later than the file.
 */
export async function prepareNamespace(
  address: string,
  searchAttributes: SearchAttributeTypes,
): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.updateNamespace({
      namespace: NAMESPACE,
      config: { workflowExecutionRetentionTtl: msToTs(`${RETENTION_DAYS} days`) },
    });
    const known = await connection.operatorService.listSearchAttributes({ namespace: NAMESPACE });
    const missing = Object.entries(searchAttributes).filter(
      ([name]) => known.customAttributes?.[name] === undefined,
    );
    if (missing.length === 0) return;
    await connection.operatorService.addSearchAttributes({
      namespace: NAMESPACE,
      searchAttributes: Object.fromEntries(
        missing.map(([name, type]) => [name, TYPE_NUMBERS[type]]),
      ),
    });
  } finally {
    await connection.close();
  }
}
