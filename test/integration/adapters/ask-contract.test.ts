import { decodeFunctionData, getAddress, parseAbi, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { askContract } from '../../../src/adapters/evm/ask-contract.ts';
import { openNodes } from '../../../src/adapters/evm/open-nodes.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { refusal, result } from '../../support/onchain/lying-node.ts';
import { openLyingPair, type LyingPair } from '../../support/onchain/lying-pair.ts';

const HASH = `0x${'a1'.repeat(32)}`;
const SIGNATURE = `0x${'b2'.repeat(65)}`;
const ABI = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']);

/** A word from the left, filled up with zeros, whatever is asked: as the code of a contract. */
const answering = (digits: string, bytes = 32): string =>
  `0x7f${digits.padEnd(64, '0')}60005260${bytes.toString(16).padStart(2, '0')}6000f3`;

const place = (digit: string) => getAddress(`0x${digit.repeat(40)}`);
const CONTRACTS = {
  TAKES: [place('1'), answering('1626ba7e')],
  REFUSES: [place('2'), answering('ffffffff')],
  REVERTS: [place('3'), '0x60006000fd'],
  'ANSWERS NOTHING': [place('4'), '0x00'],
  'ANSWERS TRUE': [place('5'), answering('1'.padStart(64, '0'))],
  'ANSWERS THE SELECTOR ALONE': [place('6'), answering('1626ba7e', 4)],
  'ANSWERS THE SELECTOR ON THE RIGHT': [place('7'), answering('1626ba7e'.padStart(64, '0'))],
  'HAS NO CODE': [place('8'), '0x'],
} as const;

let anvil: TestAnvil;
let pair: LyingPair;
let opened: ReturnType<typeof openNodes>;
beforeAll(async () => {
  anvil = await startAnvil();
  for (const [address, code] of Object.values(CONTRACTS)) {
    await anvil.rpc('anvil_setCode', address, code);
  }
  pair = await openLyingPair(anvil.url);
  opened = openNodes([pair.one.url, pair.other.url]);
});
afterEach(() => pair.repent());
afterAll(async () => {
  await opened.close();
  await pair.close();
  await anvil.close();
});

const ask = (address: string): Promise<boolean> =>
  askContract(opened.nodes, { address, hash: HASH, signature: SIGNATURE });

test.each(Object.entries(CONTRACTS))(
  'a contract that %s has signed only where it takes the signature for its own',
  async (what, [address]) => {
    expect(await ask(address)).toBe(what === 'TAKES');
  },
);

test('it is asked for the very hash and signature, and sent nothing', async () => {
  const asked: unknown[] = [];
  pair.one.lieAbout('eth_call', (honest, { params }) => {
    asked.push(...params);
    return honest;
  });
  await ask(CONTRACTS.TAKES[0]);
  const [call, block] = asked as [{ to: string; data: Hex }, string];
  expect(Object.keys(call).toSorted()).toEqual(['data', 'to']);
  expect([call.to, block]).toEqual([CONTRACTS.TAKES[0], 'latest']);
  expect(decodeFunctionData({ abi: ABI, data: call.data }).args).toEqual([HASH, SIGNATURE]);
});

test('one node that says yes where the other says no proves nothing', async () => {
  const taken = `0x1626ba7e${'0'.repeat(56)}`;
  pair.other.lieAbout(
    'eth_call',
    result(() => taken),
  );
  await expect(ask(CONTRACTS.REFUSES[0])).rejects.toMatchObject({ why: 'NODES_DIFFER' });
  await expect(ask(CONTRACTS.REVERTS[0])).rejects.toMatchObject({ why: 'NODES_DIFFER' });
});

test('a node that fails or does not answer says neither yes nor no', async () => {
  pair.one.lieAbout('eth_call', refusal(-32_000));
  await expect(ask(CONTRACTS.TAKES[0])).rejects.toMatchObject({ why: 'NODE_1_ERROR_-32000' });
  pair.one.takeOver((answer) => answer.destroy());
  await expect(ask(CONTRACTS.TAKES[0])).rejects.toMatchObject({ why: 'NODE_1_RESET' });
});

test('what is no hex is refused before a node is asked', () => {
  const question = { address: CONTRACTS.TAKES[0], hash: HASH, signature: 'not hex' };
  expect(() => askContract(opened.nodes, question)).toThrow(TypeError);
});
