/** A check of thousands of random cases: `expect` takes longer than what they try. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}
