import { EXAMPLE_ADDRESS, exampleId } from '../../../src/api/examples/operation-example.ts';
import type { Dictionaries, FuzzedCustomer } from './customer.ts';

/**
 * How the fuzzer is set up, as its own TOML: who it is, which values it is given beside those that it makes up,
 * and what of its checks is told more exactly for this API.
 */
export function fuzzerConfig({ token, known, knownTo }: FuzzedCustomer, seed: number): string {
  const names = new Map<readonly string[], string>();
  const nameOf = (values: readonly string[]): string => {
    const name = names.get(values) ?? `known-${names.size}`;
    names.set(values, name);
    return name;
  };
  const bindings = (dictionaries: Dictionaries) =>
    Object.entries(dictionaries).map(([place, values]) => {
      return `${JSON.stringify(place)} = { dictionary = "${nameOf(values)}", probability = 0.7 }`;
    });
  const general = ['[parameters]', ...bindings(known)];
  const special = Object.entries(knownTo).flatMap(([operationId, dictionaries]) => [
    ...['', '[[operations]]', `include-operation-id = "${operationId}"`],
    `parameters = { ${bindings(dictionaries).join(', ')} }`,
  ]);
  const dictionaries = [...names].flatMap(([values, name]) => [
    ...[`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`],
  ]);
  return [
    ...[`seed = ${seed}`, 'continue-on-failure = true', 'warnings = false'],
    ...['', '[auth.openapi.apiKey]', `bearer = ${JSON.stringify(token)}`],
    // What the schema cannot say is refused with a code of its own: a time that is over, a currency without a
    // corridor, a cursor of another list. With which codes is looked at by hooks.py.
    ...['', '[checks.positive_data_acceptance]', `expected-statuses = ${JSON.stringify(CHANGES)}`],
    ...['', ...dictionaries, '', ...general, ...special, ''],
    ...['[[operations]]', 'include-method = "GET"'],
    ...[`checks.positive_data_acceptance.expected-statuses = ${JSON.stringify(READS)}`, ''],
    // The items of a batch are judged one by one, each as a payment of its own, once the batch is taken: whether all
    // around them fits is looked at by hooks.py.
    ...['[[operations]]', 'include-operation-id = "createPaymentBatch"'],
    `checks.negative_data_rejection.expected-statuses = ${JSON.stringify(BATCHES)}`,
    `checks.positive_data_acceptance.expected-statuses = ${JSON.stringify([...CHANGES, BUSY])}`,
    '',
  ].join('\n');
}

/** What a right request may be answered with. The key is a good one with every scope: no 401 and no 403. */
const CHANGES = ['2xx', '400', '404', '409', '412', '422', '503'];
/** Where nothing changes there is less to refuse; 409 is a day that is not over. */
const READS = ['2xx', '400', '404', '409'];
/** 20 batches are being processed, which a slow machine comes to. */
const BUSY = '429';
/** What a wrong batch may be answered with; 401: its key was taken away. */
const BATCHES = ['201', '400', '401', '404', '413', '415', '422', BUSY];

/** What test/volume/fuzzer/hooks.py is told: which values are the document's, and what stands for them. */
export const fuzzerGiven = ({ known, knownTo }: FuzzedCustomer): string =>
  JSON.stringify({
    exampleId: exampleId('pay').slice('pay'.length),
    examples: [
      ...[EXAMPLE_ADDRESS, '5f0c7b1e-4f7e-4a41-9d0a-2d9b6f3f8a10', `0x${'1b'.repeat(65)}`],
      ...['2026-09-29T00:00:00.000Z', '2026-09-30T00:00:00.000Z', '"3"'],
    ],
    ...{ known, knownTo },
  });
