import { CodeBlock } from './code-block.tsx';
import type { Children } from './types.ts';

/** Where there is nothing yet: a sentence, a button, and the request that would make the first one. */
export const EmptyState = (props: {
  readonly title: string;
  readonly children: Children;
  readonly action?: { readonly href: string; readonly text: string };
  readonly command?: string;
}) => (
  <div class="empty">
    <h2>{props.title}</h2>
    <p>{props.children}</p>
    {props.action === undefined ? null : (
      <a class="button" href={props.action.href}>
        {props.action.text}
      </a>
    )}
    {props.command === undefined ? null : <CodeBlock id="command" text={props.command} />}
  </div>
);
