import { Json } from '../parts/code.tsx';
import { renderSentence } from '../markdown.ts';
import { FieldTree } from '../parts/field-tree.tsx';
import { HtmlText } from '../parts/html.tsx';
import type { ShownEvent } from '../reference/events.ts';
import type { Page, Site } from '../site-model.ts';

/** Every type of event, with what a webhook of it carries. */
export const eventsPage = (site: Site): Page => ({
  title: 'Events',
  description: 'Every type of event, with an example of what a webhook carries.',
  body: (
    <div class="reference">
      <div class="reference-head">
        <h1>Events</h1>
        <p class="lead">
          Every change of a resource is one event, and every event can be a webhook. What to do with
          one is in <a href={site.paths.guide('webhooks')}>Webhooks</a>, programs that verify it in{' '}
          <a href={site.paths.guide('verify-webhooks')}>Verify webhooks</a>.
        </p>
        <ul class="jumps">
          {site.families.map(({ name }) => (
            <li key={name}>
              <a href={`#family-${name}`}>
                <code>{name}</code>
              </a>
            </li>
          ))}
        </ul>
      </div>
      {site.families.map(({ name, groups, events }) => (
        <div key={name} class="family" id={`family-${name}`}>
          <details class="inner">
            <summary>
              Fields of every <code>{name}</code> event
            </summary>
            <FieldTree groups={groups} rules={site.rules} />
          </details>
          {events.map((event) => (
            <EventSection key={event.type} site={site} event={event} />
          ))}
        </div>
      ))}
    </div>
  ),
});

const EventSection = ({ site, event }: { readonly site: Site; readonly event: ShownEvent }) => (
  <section class="operation" id={event.type} aria-labelledby={`${event.type}-title`}>
    <div class="operation-text">
      <h2 id={`${event.type}-title`}>
        <a class="anchor" href={`#${event.type}`}>
          <code>{event.type}</code>
        </a>
      </h2>
      <p>
        <HtmlText html={renderSentence(event.summary, site.rules)} />
      </p>
    </div>
    <div class="operation-code">
      {event.samples.map(({ title, value }, index) => {
        const id = `${event.type}-${String(index)}`;
        return index === 0 ? (
          <div key={id} class="answer-sample">
            <p class="sample-title">{title}</p>
            <Json id={id} value={value} />
          </div>
        ) : (
          <details key={id} class="inner">
            <summary>{title}</summary>
            <Json id={id} value={value} />
          </details>
        );
      })}
    </div>
  </section>
);
