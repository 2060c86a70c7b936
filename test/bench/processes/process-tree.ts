import type { ProcessStat } from './proc.ts';

/** A process with all its descendants, itself first. */
export function treeOf(processes: readonly ProcessStat[], root: number): ProcessStat[] {
  const children = new Map<number, ProcessStat[]>();
  for (const one of processes) {
    const siblings = children.get(one.parent);
    if (siblings === undefined) children.set(one.parent, [one]);
    else siblings.push(one);
  }
  const tree = processes.filter(({ pid }) => pid === root);
  // Grows while it is walked: the children of each are walked in their turn.
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}
