import type { VNode } from 'preact';
import type { ErrorCode } from '../../domain/errors/registry.ts';
import type { Guide } from './guides/guide-list.ts';
import type { LinkRules, RenderedPage } from './markdown.ts';
import type { Paths } from './paths.ts';
import type { EventFamily } from './reference/events.ts';
import type { ShownTag } from './reference/reference.ts';

/** What every page is made of. */
export interface Site {
  readonly paths: Paths;
  /** Where the API is for programs, without a path of its own: "https://api.example.com". */
  readonly apiUrl: string;
  readonly rules: LinkRules;
  readonly tags: readonly ShownTag[];
  readonly families: readonly EventFamily[];
  /** Codes that every request may be answered with. */
  readonly commonErrors: readonly ErrorCode[];
  readonly guides: readonly { readonly guide: Guide; readonly page: RenderedPage }[];
}

/** A page before it is put into the frame that all have. */
export interface Page {
  readonly title: string;
  readonly description: string;
  readonly body: VNode;
}
