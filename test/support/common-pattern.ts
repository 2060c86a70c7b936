/**
 * Whether RE2, PCRE, Java, .NET and Python compile a pattern as ECMA-262 does: no \u, \p or back-reference, no
 * look-around or named group, nothing possessive, no count above RE2's 1000.
 */
export function isInCommonSubset(pattern: string): boolean {
  const unescaped = pattern.replaceAll(/\\[^A-Za-z0-9]/g, '_');
  const withoutClasses = unescaped.replaceAll(/\[[^\]]*\]/g, '_');
  const counts = [...withoutClasses.matchAll(/\{([0-9]+)(?:,([0-9]*))?\}/g)];
  return (
    !/\\(?![dDwWsSnrt]|x[0-9a-f]{2})/.test(unescaped) &&
    !/\(\?(?!:)|[*+?}]\+/.test(withoutClasses) &&
    counts.every(([, least, most]) => Math.max(Number(least), Number(most ?? 0)) <= 1_000)
  );
}
