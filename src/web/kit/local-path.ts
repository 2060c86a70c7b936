/**
 * Is this a path of this site? What begins with two slashes, or a slash and a backslash, names another
 * host; control characters are left out by browsers before they look.
 */
export function isLocalPath(text: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && text.length <= 2_000;
}
