import { curlSample } from '../samples/curl.ts';
import { clientMethodOf } from '../samples/client-methods.ts';
import { pythonSample } from '../samples/python.ts';
import type { SampleRequest } from '../samples/sample-request.ts';
import { typescriptSample } from '../samples/typescript.ts';
import { Code } from './code.tsx';

interface Sample {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

/** The same request in every language; where the client has no method for it, without TypeScript. */
export function samplesOf(request: SampleRequest, apiUrl: string): readonly Sample[] {
  const method = clientMethodOf(request.operation);
  return [
    { language: 'bash', title: 'curl', text: curlSample(request, apiUrl) },
    ...(method === null
      ? []
      : [
          {
            language: 'typescript',
            title: 'TypeScript',
            text: typescriptSample(request, apiUrl, method),
          },
        ]),
    { language: 'python', title: 'Python', text: pythonSample(request, apiUrl) },
  ];
}

/** One sample at a time, chosen by radio buttons: style alone shows the chosen one. */
export const CodeSamples = (props: {
  readonly request: SampleRequest;
  readonly apiUrl: string;
}) => {
  const { id } = props.request.operation;
  const samples = samplesOf(props.request, props.apiUrl);
  return (
    <fieldset class="samples">
      <legend class="spoken">Language of the sample</legend>
      <div class="languages">
        {samples.map(({ language, title }, index) => (
          <label key={language}>
            <input
              type="radio"
              name={`language-${id}`}
              value={language}
              class="spoken"
              checked={index === 0}
            />
            <span>{title}</span>
          </label>
        ))}
      </div>
      {samples.map(({ language, text }) => (
        <div key={language} class="sample" data-language={language}>
          <Code id={`${id}-${language}`} text={text} language={language} />
        </div>
      ))}
    </fieldset>
  );
};
