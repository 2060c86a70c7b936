/** An address as people compare it: `0x1234…abcd`. What is no address stays as it is. */
export const shortAddress = (address: string): string =>
  /^0x[0-9a-fA-F]{40}$/.test(address) ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
