import type { FastifyBaseLogger } from 'fastify';
import { noteApiKeyUses, type ApiKeyUse } from '../db/customers/api-key-store.ts';
import type { Database } from '../db/client/database.ts';
import { describeFault } from '../web/kit/http/describe-fault.ts';

const FLUSH_EVERY_MS = 5_000;
const KEYS_MAX = 10_000;

interface KeyUsage {
  /** Remembers that a key was used, and from where. Never waits. */
  note(apiKeyId: string, use: ApiKeyUse): void;
  /** Writes what is remembered; what could not be written is tried again with the next flush. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

/** Batches the marks of `lastUsedAt` and `lastUsedIp`: one statement every 5 s instead of one a request. */
export function createKeyUsage(
  db: Pick<Database, 'query'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): KeyUsage {
  let marks = new Map<string, ApiKeyUse>();
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();

  function note(apiKeyId: string, use: ApiKeyUse): void {
    if (marks.size < KEYS_MAX || marks.has(apiKeyId)) marks.set(apiKeyId, use);
  }
  async function write(): Promise<void> {
    const taken = marks;
    if (taken.size === 0) return;
    marks = new Map();
    try {
      await noteApiKeyUses(db, taken);
    } catch (error) {
      for (const [id, use] of taken) if (!marks.has(id)) note(id, use);
      log.warn({ fault: describeFault(error) }, 'last use of API keys not written yet');
    }
  }
  function flush(): Promise<void> {
    running = running.then(write);
    return running;
  }
  return {
    note,
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
