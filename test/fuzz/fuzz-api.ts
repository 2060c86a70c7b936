import { setTimeout as pause } from 'node:timers/promises';
import {
  namesIn,
  operationsOf,
  resolve,
  type ApiDocument,
  type Operation,
} from './api-document.ts';
import { FOLLOWED_BY } from './beyond-the-document.ts';
import { breakRequest } from './break-request.ts';
import { createChoice, type Choice } from './choice.ts';
import { createFacts, type Fact } from './facts.ts';
import { keyStaysFree, otherBodyUnderKey, readBack, repeatByKey } from './follow-up.ts';
import type { ValueSource } from './fresh-value.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { judgeAnswer, type Finding } from './judge-answer.ts';
import { createOwnWallets } from './own-wallets.ts';
import { createSchemaCheck } from './schema-check.ts';
import { jsonOf, type FuzzAnswer, type Sender } from './send-request.ts';
import { shrink, withNewKey } from './shrink.ts';
import { createTraceReader, expectNoTraces, type Traces } from './traces.ts';
import { validRequest } from './valid-request.ts';

export interface FuzzOrder {
  readonly document: ApiDocument;
  readonly sender: Sender;
  readonly seed: number;
  readonly requests: number;
  /** Ids of another customer by parameter. */
  readonly foreignIds: Readonly<Record<string, string>>;
  /** Rows of the customer by table; null where the database is out of reach. */
  readonly countRows: (() => Promise<Traces>) | null;
  /** Valid requests alone, for what they make; refusals are not looked at again. */
  readonly isOnlyToMake?: boolean;
  /** Operations that need not be reached, with the reason. */
  readonly unreached: Readonly<Record<string, string>>;
  readonly now: () => Date;
  /** Between two looks for what refused requests left; all is quiet where both see the same. */
  readonly lookEveryMs: number;
  readonly say: (line: string) => void;
}

export type Found = Finding & {
  /** Of the request within its run; null of what was found by sending it again. */
  readonly index: number | null;
  readonly request: FuzzRequest;
};

/** What is asked for next, and about what: ids by their parameters. */
interface Following {
  readonly operation: Operation;
  readonly about: Fact;
}

/** How one operation was answered, by class of status. */
export interface Tally {
  requests: number;
  ok: number;
  refused: number;
  failed: number;
  /** How often it was refused with each code. */
  readonly codes: Map<string, number>;
}

export interface FuzzOutcome {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly findings: readonly Found[];
  readonly refusedChecked: number;
  /** What no one could look at, in words. */
  readonly unsaid: readonly string[];
  readonly neverReached: readonly string[];
  /** Every id that was met, by the parameter that takes it. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** What ends a thing is sent often enough to be seen, seldom enough to have something left. */
const ENDS = /^(close|delete|disable|erase)/;
const REFUSED_KEPT_MAX = 300;
const FINDINGS_MAX = 20;
/** Of the requests, as long as some operation has never answered with success. */
const SHARE_TO_REACH = 0.4;
/** Of those requests, the share that makes what the operation takes, and of these what that takes in turn. */
const SHARE_TO_MAKE = 0.5;
const MORE_MAX = 600;
const LOOKS_A_TRY = 5;
const LINE_EVERY = 1_000;

/** Fuzzes an API by its document alone. Requests are chosen by seed and number; what they are about comes from answers. */
export async function fuzzApi(order: FuzzOrder): Promise<FuzzOutcome> {
  const { document, sender, seed, foreignIds } = order;
  const operations = operationsOf(document);
  const facts = createFacts(document);
  const check = createSchemaCheck(document);
  const wallets = createOwnWallets(seed);
  const followUp = { operations, facts, sender };
  const tallies = new Map<string, Tally>(
    operations.map(({ id }) => [
      id,
      { requests: 0, ok: 0, refused: 0, failed: 0, codes: new Map() },
    ]),
  );
  const findings: Found[] = [];
  const refused: FuzzRequest[] = [];
  const usedKeys: string[] = [];
  const cursors: string[] = [];
  let next: Following | null = null;
  const fits = (operation: Operation, json: unknown): boolean => {
    const [type = ''] = operation.body?.contentTypes ?? [];
    const steps = ['paths', operation.path, operation.method.toLowerCase(), 'requestBody'];
    return check.problemOf([...steps, 'content', type, 'schema'], json) === null;
  };
  const isReached = ({ id }: Operation) => (tallies.get(id)?.ok ?? 0) > 0;
  const canBeCalled = (operation: Operation) => {
    const ids = facts.ids();
    return namesIn(operation, 'path').every((name) => !name.endsWith('Id') || name in ids);
  };

  /** Operations that make what another one takes the ids of. */
  const makersFor = (operation: Operation): Operation[] => {
    const properties = resolve(document, operation.body?.schema ?? {}).properties ?? {};
    const wanted = new Set([...namesIn(operation, 'path'), ...Object.keys(properties)]);
    return operations.filter((one) => {
      const made = facts.parameterOf(one);
      return one.method === 'POST' && '201' in one.answers && made !== null && wanted.has(made);
    });
  };

  function oneToMake(operation: Operation, choice: Choice): Operation {
    const makers = makersFor(operation).filter((one) => one !== operation);
    if (makers.length === 0 || !choice.chance(SHARE_TO_MAKE)) return operation;
    return oneToMake(choice.pick(makers), choice);
  }

  async function note(found: Finding, index: number | null, request: FuzzRequest): Promise<void> {
    if (findings.length >= FINDINGS_MAX || findings.some(({ what }) => what === found.what)) return;
    order.say(`found: ${found.what}`);
    const operation = operations.find(({ id }) => id === request.operationId);
    const isByBody = request.body !== null && request.broken?.includes('/') === true;
    // Taking away what is forbidden of a request would leave one that is rightly accepted.
    const mayShrink = index !== null && (isByBody || !request.isForbidden);
    const smallest =
      operation === undefined || !mayShrink
        ? request
        : await shrink(request, async (one) => {
            const isForbidden = one.isForbidden && !fitsBytes(operation, one.body);
            const candidate = { ...one, isForbidden };
            const again = judgeAnswer(check, operation, candidate, await sender.send(candidate));
            return again?.what === found.what;
          });
    findings.push({ ...found, index, request: smallest });
  }

  function fitsBytes(operation: Operation, body: Buffer | null): boolean {
    try {
      return fits(operation, JSON.parse((body ?? Buffer.alloc(0)).toString('utf8')));
    } catch {
      return false;
    }
  }

  const sourceOf = (choice: Choice): ValueSource => {
    return {
      ...{ document, facts, choice, now: order.now() },
      optional: choice.pick([0.1, 0.3, 0.5, 0.9]),
      handed: { url: ['http://127.0.0.1:9/fuzz'], address: wallets.addresses },
    };
  };

  const unreached = () =>
    operations.filter((one) => !isReached(one) && order.unreached[one.id] === undefined);

  async function sendOne(index: number, shareToReach: number): Promise<void> {
    const choice = createChoice(seed * 1_000_003 + index);
    const missing = unreached().filter(canBeCalled);
    const isToReach = missing.length > 0 && choice.chance(shareToReach);
    const pool = operations.filter(({ id }) => !ENDS.test(id) || choice.chance(0.2));
    const chosen = choice.pick(isToReach ? missing : pool);
    // What has never succeeded may lack a thing that is still open and unused, and that thing another one: one is made.
    const made = isToReach ? oneToMake(chosen, choice) : chosen;
    const due = next !== null && choice.chance(0.7) ? next : null;
    next = null;
    const operation = due?.operation ?? made;
    const valid = validRequest(operation, sourceOf(choice), fits, due?.about);
    const isBroken =
      !isToReach && due === null && order.isOnlyToMake !== true && choice.chance(0.55);
    const breaking = {
      ...{ document, choice, fits, ids: facts.ids() },
      foreignIds,
      usedKeys,
      cursors,
    };
    const request = isBroken ? breakRequest(operation, valid, breaking) : valid.request;
    const answer = await sender.send(request);
    count(operation, answer);
    const found = judgeAnswer(check, operation, request, answer);
    if (found !== null) await note(found, index, request);
    if (answer.status >= 200 && answer.status < 300) {
      await facts.learn(operation, request.pathValues, jsonOf(answer), wallets.sign);
      keepCursor(answer);
      const following = operations.find(({ id }) => id === FOLLOWED_BY[operation.id]);
      const about = { ...due?.about, ...idsOf(operation, request, jsonOf(answer)) };
      if (following !== undefined) next = { operation: following, about };
      else if (isToReach && operation !== chosen) next = { operation: chosen, about };
      const key = request.headers['idempotency-key'];
      if (key !== undefined && !isBroken) usedKeys.push(key);
    } else if (answer.status >= 400 && answer.status < 500 && operation.method !== 'GET') {
      if (refused.length < REFUSED_KEPT_MAX) refused.push(request);
      else refused[choice.below(REFUSED_KEPT_MAX)] = request;
    }
    // What an end-user's check has not approved yet, it may approve soon.
    if (isToReach && answer.status >= 400 && next === null && choice.chance(0.8)) next = due;
    await askFurther(index, operation, request, valid.request, answer);
  }

  /** The thing that was asked about or made, by the parameter that takes its id. */
  function idsOf(operation: Operation, request: FuzzRequest, json: unknown): Fact {
    const { id } = (json ?? {}) as { id?: unknown };
    const parameter = facts.parameterOf(operation);
    return parameter === null || typeof id !== 'string'
      ? request.pathValues
      : { ...request.pathValues, [parameter]: id };
  }

  async function askFurther(
    index: number,
    operation: Operation,
    request: FuzzRequest,
    meant: FuzzRequest,
    answer: FuzzAnswer,
  ): Promise<void> {
    const choice = createChoice(seed * 7_919 + index);
    const further: (Finding | null)[] = [];
    if (request.broken === null) {
      further.push(await readBack(followUp, operation, request, answer));
      if (choice.chance(0.2)) further.push(await repeatByKey(followUp, operation, request, answer));
      if (choice.chance(0.2) && answer.status < 300) {
        const source = sourceOf(choice);
        const { request: other } = validRequest(operation, source, fits);
        further.push(await otherBodyUnderKey(followUp, operation, request, other));
      }
    } else if (choice.chance(0.2)) {
      further.push(await keyStaysFree(followUp, operation, request, meant, answer));
    }
    for (const found of further) if (found !== null) await note(found, null, request);
  }

  function count({ id }: Operation, answer: FuzzAnswer): void {
    const tally = tallies.get(id);
    if (tally === undefined) return;
    const { status } = answer;
    tally.requests += 1;
    if (status >= 200 && status < 300) tally.ok += 1;
    else if (status >= 400 && status < 500) tally.refused += 1;
    else tally.failed += 1;
    const { error } = (jsonOf(answer) ?? {}) as { error?: unknown };
    if (typeof error === 'string') tally.codes.set(error, (tally.codes.get(error) ?? 0) + 1);
  }

  function keepCursor(answer: FuzzAnswer): void {
    const { nextCursor } = (jsonOf(answer) ?? {}) as { nextCursor?: unknown };
    if (typeof nextCursor === 'string') cursors.push(nextCursor);
    if (cursors.length > 50) cursors.shift();
    if (usedKeys.length > 50) usedKeys.shift();
  }

  for (let index = 0; index < order.requests && findings.length < FINDINGS_MAX; index += 1) {
    await sendOne(index, SHARE_TO_REACH);
    if ((index + 1) % LINE_EVERY === 0) order.say(`${String(index + 1)} requests`);
  }
  // Chance may have passed an operation by, or a busy worker not made yet what it takes: it is tried some more, without
  // haste, before it is said to be out of reach.
  const isToReachAll = order.isOnlyToMake !== true;
  for (let more = 0; isToReachAll && more < MORE_MAX && unreached().length > 0; more += 1) {
    await pause(order.lookEveryMs / LOOKS_A_TRY);
    await sendOne(order.requests + more, 1);
  }
  const traces = await expectNoTraces(
    order.isOnlyToMake === true ? [] : refused.map(withNewKey),
    sender,
    createTraceReader(operations, sender, order.countRows),
    order.lookEveryMs,
  );
  for (const found of traces.findings) await note(found, null, found.request);
  return {
    ...{ tallies, findings, refusedChecked: traces.checked },
    unsaid: traces.unsaid === null ? [] : [`refused requests: ${traces.unsaid}`],
    neverReached: unreached().map(({ id }) => id),
    ids: facts.ids(),
  };
}
