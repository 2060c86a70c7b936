import { expect, it } from 'vitest';
import {
  isRoom,
  isRoomFor,
  slotsOf,
  UNMINED_MAX,
  withOneMore,
} from '../../../src/domain/onchain/nonce-slots.ts';

const nonces = (from: number, count: number, customerId: string | null) =>
  Array.from({ length: count }, (_none, index) => ({ nonce: BigInt(from + index), customerId }));

it('nonces that a block holds do not count among those that none does', () => {
  const held = nonces(0, 100, 'one');
  const slots = slotsOf(held, { nextOnChain: 100n, nextNonce: 100n });
  expect(slots).toMatchObject({ unmined: 0, notFinal: 100 });
  expect(isRoom(slots, 101)).toBe(true);
  expect(isRoom(slots, 100)).toBe(false);
  const young = slotsOf(held, { nextOnChain: 84n, nextNonce: 100n });
  expect(young.unmined).toBe(UNMINED_MAX);
  expect(isRoom(young, 1_024)).toBe(false);
});

it('no customer takes more than three quarters of either', () => {
  const twelve = slotsOf(nonces(0, 12, 'one'), { nextOnChain: 0n, nextNonce: 12n });
  expect([isRoomFor(twelve, 'one', 1_024), isRoomFor(twelve, 'other', 1_024)]).toEqual([
    false,
    true,
  ]);
  const many = slotsOf(nonces(0, 768, 'one'), { nextOnChain: 768n, nextNonce: 768n });
  expect([isRoomFor(many, 'one', 1_024), isRoomFor(many, 'other', 1_024)]).toEqual([false, true]);
  const more = withOneMore(withOneMore(many, 'other'), 'third');
  expect(more).toMatchObject({ unmined: 2, notFinal: 770 });
});

it('sweeps and voids take slots of no customer', () => {
  const slots = slotsOf(nonces(0, 16, null), { nextOnChain: 0n, nextNonce: 16n });
  expect(slots.ofCustomers.size).toBe(0);
  expect(isRoomFor(slots, 'one', 1_024)).toBe(false);
});
