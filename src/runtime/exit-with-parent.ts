/**
 * Called by the main of a supervised child: when the process that started it is gone, however it
 * went, the IPC channel closes and the child ends too. Without a channel nothing happens.
 */
export function exitWithParent(onParentGone: () => void = () => process.exit(1)): void {
  if (process.channel === undefined) return;
  process.once('disconnect', onParentGone);
  // The channel alone must not keep a child alive that has nothing left to do.
  process.channel?.unref();
}
