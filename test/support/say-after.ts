/**
 * Prints how many seconds after this call something was so. Nothing is judged by it: a busy machine is late, and
 * what is promised is shown by the blocks and looks that it takes (test/integration/onchain/chain-times.test.ts).
 */
export function sayAfter(what: string): (isSo: string) => void {
  const begunMs = performance.now();
  return (isSo) => {
    const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
    console.log(`${what}: ${isSo} after ${seconds} s`);
  };
}
