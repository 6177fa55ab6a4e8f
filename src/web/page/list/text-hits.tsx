// Where the words stand in what was said, over all sessions.

import { useEffect, useState } from 'preact/hooks';
import type { SearchAnswer } from '../../api.ts';
import { type Chosen, isAny } from '../../facets.ts';
import { sessionAddress } from '../address.ts';
import { search } from '../ask.ts';
import { Marked } from '../parts/marked.tsx';
import { dayAndTime } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';

const WAIT_MS = 140;
const NO_ANSWER: SearchAnswer = {
  ...{ api_version: 1, hits: [], more: false, is_current: true },
  trouble: 'What was said cannot be searched now: the viewer does not answer. Is "pal serve" still running?',
};

interface TextHitsProps {
  text: string;
  chosen: Chosen;
  hasIndex: boolean;
}

export function TextHits({ text, chosen, hasIndex }: TextHitsProps) {
  const [answer, setAnswer] = useState<SearchAnswer | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(text, chosen, abort.signal)
        .then(setAnswer)
        .catch(() => {
          if (!abort.signal.aborted) setAnswer(NO_ANSWER);
        });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, chosen, hasIndex]);
  if (answer === null) return null;
  if (answer.trouble !== null) return <p class="hint">{answer.trouble}</p>;
  const lacks = answer.is_current ? '' : ' What was written last is not in the index yet.';
  const where = isAny(chosen) ? '' : ' in the sessions that are ticked';
  if (answer.hits.length === 0) return <p class="hint">{`Nothing that was said${where} holds these words.${lacks}`}</p>;
  return (
    <section class="text-hits" aria-label="In what was said">
      <h2>In what was said</h2>
      {lacks !== '' && <p class="hint">{lacks}</p>}
      <ol>
        {answer.hits.map((hit) => (
          <li key={`${hit.key} ${hit.message_index}`}>
            <a href={`${sessionAddress(hit.key)}#found-${hit.message_index}`}>
              <span class="hit-title">
                {visible(hit.title ?? hit.key)} <span class="faint">{dayAndTime(hit.timestamp)}</span>
                {!hit.live && hit.left_by !== null && <span class="left-note">left the context: {hit.left_by}</span>}
              </span>
              <span class="hit-text">
                <Marked pieces={hit.snippet} />
              </span>
            </a>
          </li>
        ))}
      </ol>
      {answer.more && (
        <p class="hint">
          These are the newest. There are more: tick a facet, or narrow them down with <code>kind:</code>{' '}
          <code>tool:</code> <code>until:</code> and other words.
        </p>
      )}
    </section>
  );
}
