import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { UnusableInput } from './unusable-input.ts';

/** One answer that a client saw. A log is one JSON object a line, in any order. */
interface ClientLogLine {
  readonly method: string;
  /** With or without the query. */
  readonly path: string;
  readonly status: number;
  /** The answer's body as parsed; only ids are looked at. */
  readonly body?: unknown;
}

/** What one line promises: payments by id, or an accepted payment whose id it does not tell. */
interface Promised {
  readonly line: number;
  readonly paymentIds: readonly string[];
  readonly isNameless: boolean;
}

/**
 * Reads what the 2xx lines promise. A torn last line is left out: a client that was killed did not see
 * it. @throws UnusableInput on a file that cannot be read and on any other line that is no answer.
 */
export async function* readClientLog(file: string): AsyncGenerator<Promised> {
  let number = 0;
  let torn: number | null = null;
  try {
    for await (const text of createInterface({ input: createReadStream(file, 'utf8') })) {
      number += 1;
      if (text.trim() === '') continue;
      if (torn !== null) throw new UnusableInput(`${file}: line ${torn} is not an answer`);
      const line = parseLine(text);
      if (line === null) torn = number;
      else if (line.status >= 200 && line.status <= 299) yield promisesOf(line, number);
    }
  } catch (error) {
    if (error instanceof UnusableInput) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new UnusableInput(`cannot read the client log: ${cause}`);
  }
}

function parseLine(text: string): ClientLogLine | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { method, path, status } = parsed as Partial<ClientLogLine>;
  if (typeof method !== 'string' || typeof path !== 'string' || typeof status !== 'number') {
    return null;
  }
  return parsed as ClientLogLine;
}

function promisesOf(line: ClientLogLine, number: number): Promised {
  const { data } = (line.body ?? {}) as { data?: unknown };
  const resources = [line.body, ...(Array.isArray(data) ? (data as unknown[]) : [])];
  const paymentIds = resources
    .map((resource) => (resource as { id?: unknown } | null | undefined)?.id)
    .filter((id) => typeof id === 'string')
    .filter((id) => isId(ID_PREFIXES.payment, id));
  const [path = ''] = line.path.split('?');
  const isCreation = line.method === 'POST' && path.endsWith('/payments');
  return { line: number, paymentIds, isNameless: isCreation && paymentIds.length === 0 };
}
