import { describe, expect, it } from 'vitest';
import { fuzzApi, type FuzzOutcome } from './fuzz-api.ts';
import { asCurl } from './fuzz-request.ts';
import { isClean, renderFuzz } from './fuzz-report.ts';
import {
  PLANTED_DOCUMENT,
  PLANTED_KEY,
  startPlantedApi,
  type PlantedFault,
} from './planted-api.ts';
import { openSender } from './send-request.ts';

/** As many requests as it takes to meet a fault; most are met at once. */
const REQUESTS = 80;
const REQUESTS_OF: Partial<Record<PlantedFault | 'NONE', number>> = {
  ...{ NONE: 200, FAILS_ON_ODD_TEXT: 250, TAKES_ANOTHER_BODY: 250 },
};

/** Each API is fuzzed once. */
const OUTCOMES = new Map<PlantedFault | null, Promise<FuzzOutcome>>();

function fuzzPlanted(fault: PlantedFault | null): Promise<FuzzOutcome> {
  const outcome = OUTCOMES.get(fault) ?? fuzz(fault);
  OUTCOMES.set(fault, outcome);
  return outcome;
}

async function fuzz(fault: PlantedFault | null): Promise<FuzzOutcome> {
  const requests = REQUESTS_OF[fault ?? 'NONE'] ?? REQUESTS;
  const api = await startPlantedApi(fault);
  const sender = openSender(api.url, PLANTED_KEY);
  try {
    return await fuzzApi({
      ...{ document: PLANTED_DOCUMENT, sender, seed: 1, requests, foreignIds: {} },
      ...{ countRows: null, unreached: {}, now: () => new Date(), say: () => undefined },
      lookEveryMs: 1,
    });
  } finally {
    await sender.close();
    await api.close();
  }
}

const FAULTS: readonly (readonly [PlantedFault, RegExp])[] = [
  ['FAILS_ON_ODD_TEXT', /^createThing: answered 500$/],
  ['TAKES_MORE', /^createThing: accepted /],
  ['LEAVES_A_TRACE', /^createThing: a refused request left a trace$/],
  ['UNDOCUMENTED_STATUS', /^createThing: 418 is not documented$/],
  ['NO_REQUEST_ID', /: X-Request-Id is missing$/],
  ['CANNOT_BE_READ', /^createThing: what was answered with 201 cannot be read$/],
  ['WRONG_SHAPE', /^createThing: 201 does not fit its schema$/],
  ['REPEATS_OTHERWISE', /^createThing: a repeat under its key is answered otherwise$/],
  ['TAKES_ANOTHER_BODY', /^createThing: another body under a key that was used is not refused$/],
  ['USES_THE_KEY_UP', /^createThing: a refused request used its key up$/],
];

describe('the fuzzer', () => {
  it('finds nothing in an API that keeps to its document, and reaches all of it', async () => {
    const outcome = await fuzzPlanted(null);
    expect(outcome.findings, renderFuzz(outcome, 'http://planted', 1)).toEqual([]);
    expect(outcome.neverReached).toEqual([]);
    expect(outcome.refusedChecked).toBeGreaterThan(20);
    expect(isClean(outcome)).toBe(true);
  });

  it.each(FAULTS)('finds %s', async (fault, what) => {
    const outcome = await fuzzPlanted(fault);
    const found = outcome.findings.map((one) => one.what);
    expect(
      found.filter((one) => what.test(one)),
      found.join('\n'),
    ).not.toEqual([]);
  });

  it('says that an operation is never reached', async () => {
    const outcome = await fuzzPlanted('CANNOT_BE_READ');
    expect(outcome.neverReached).toEqual(['getThing']);
    expect(isClean(outcome)).toBe(false);
  });

  it('prints a finding as a command without the key', async () => {
    const outcome = await fuzzPlanted('FAILS_ON_ODD_TEXT');
    const [finding] = outcome.findings;
    if (finding === undefined) throw new Error('nothing was found');
    const curl = asCurl('http://planted', finding.request);
    expect(curl).toContain("curl -sS -i -X POST 'http://planted/things'");
    expect(curl).toContain('Bearer $KEY');
    expect(curl).not.toContain(PLANTED_KEY);
  });
});
