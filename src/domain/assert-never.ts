/** Ends a switch over a closed union: the compiler refuses a case that was left out. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
