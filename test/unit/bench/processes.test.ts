import { expect, it } from 'vitest';
import { parseStat, type ProcessStat } from '../../bench/processes/proc.ts';
import { treeOf } from '../../bench/processes/process-tree.ts';

it("counts a process's own time and that of its children that have ended", () => {
  const line =
    '4242 (postgres: io (w)) S 17 4242 4242 0 -1 4194304 900 0 0 0 150 25 10 5 20 0 1 0 99 0 0';
  expect(parseStat(line)).toEqual({ pid: 4242, parent: 17, isZombie: false, cpuMs: 1_900 });
});

it('counts every descendant of a process once, and no other', () => {
  const one = (pid: number, parent: number): ProcessStat => ({
    ...{ pid, parent, isZombie: false, cpuMs: 0 },
  });
  const all = [one(5, 3), one(1, 0), one(3, 2), one(2, 1), one(4, 2), one(9, 1)];
  expect(treeOf(all, 2).map(({ pid }) => pid)).toEqual([2, 3, 4, 5]);
  expect(treeOf(all, 77)).toEqual([]);
});
