import { Refusal } from '../../domain/errors/refusal.ts';
import type { App } from '../../web/kit/http/app-type.ts';

interface KnownRoute {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/**
 * Answers paths that no route serves with 404, and known paths with another method with 405 and
 * `Allow`. Before the body is read: no route needs it.
 */
export function installUnknownRoutes(app: App): void {
  const routes = new Map<string, KnownRoute>();
  app.addHook('onRoute', (route) => {
    const known = routes.get(route.url) ?? { segments: route.url.split('/'), methods: new Set() };
    for (const method of [route.method].flat()) known.methods.add(method);
    routes.set(route.url, known);
  });
  const refuse = (url: string): Refusal => {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const segments = path.split('/');
    const matching = [...routes.values()].filter((route) => matches(route.segments, segments));
    if (matching.length === 0) return new Refusal('not_found', 'The resource does not exist.');
    // A path of its own names no resource beside: `/payments/validate` is no payment.
    const least = Math.min(...matching.map(parametersOf));
    const own = matching.filter((route) => parametersOf(route) === least);
    const methods = own.flatMap((route) => [...route.methods]);
    const allow = [...new Set(methods)].sort().join(', ');
    return new Refusal(
      'method_not_allowed',
      `The path does not support this method. It supports ${allow}.`,
      [],
      { allow },
    );
  };
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw refuse(request.url);
  });
  // Plugins that serve files call this for a file that is missing.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', 'The resource does not exist.');
  });
}

const parametersOf = ({ segments }: KnownRoute): number =>
  segments.filter((step) => step.startsWith(':')).length;

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((step, index) => {
      const segment = segments[index] ?? '';
      return step.startsWith(':') ? segment !== '' : step === segment;
    })
  );
}
