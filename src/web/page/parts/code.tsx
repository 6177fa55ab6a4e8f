// Code, coloured where somebody looks at it: the colours come later, from a thread of their own.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Coloured, coloured } from './highlight.ts';

/** `language` as it is written: its first word is the name. */
export function Code({ text, language: told }: { text: string; language: string }) {
  const [language = ''] = told.split(/\s/);
  const [lines, setLines] = useState<Coloured | null>(null);
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || language === '') return undefined;
    let isOver = false;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      coloured(text, language).then((made) => {
        if (!isOver && made !== null) setLines(made);
      });
    });
    seen.observe(element);
    return () => {
      isOver = true;
      seen.disconnect();
    };
  }, [text, language]);
  return (
    <pre class="code" ref={place} tabIndex={0}>
      {told !== '' && <span class="language">{told}</span>}
      <code>
        {lines === null
          ? text
          : lines.map((line, i) => (
              <span key={i}>
                {line.map(([piece, light, dark], j) => (
                  <span key={j} class="tone" style={{ '--light': light, '--dark': dark }}>
                    {piece}
                  </span>
                ))}
                {i < lines.length - 1 ? '\n' : ''}
              </span>
            ))}
      </code>
    </pre>
  );
}
