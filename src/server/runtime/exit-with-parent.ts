/**
 * Called by the main of a supervised child: when the process that started it is gone, however it
 * went, the IPC channel closes and the child ends too. Without a channel nothing happens.
 */
export function exitWithParent(onParentGone: () => void = () => process.exit(1)): void {
  // Undefined where no channel was given, whatever the types say.
  const { connected } = process as { readonly connected?: boolean };
  if (connected === undefined) return;
  if (!connected) {
    // The parent was gone before the modules of the child were loaded; no event comes any more.
    onParentGone();
    return;
  }
  process.once('disconnect', onParentGone);
  // The channel alone must not keep a child alive that has nothing left to do.
  process.channel?.unref();
}
