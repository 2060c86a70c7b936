/** An email address as pages show it: enough for its owner to know it again. `ada@x.example`: `a…@x.example`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
