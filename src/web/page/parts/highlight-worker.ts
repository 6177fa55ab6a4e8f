// Colours code. Grammars are loaded when a language is met for the first time.

import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { Coloured } from './highlight.ts';
import { LANGUAGES, NAMES } from './languages.ts';

const highlighter = createHighlighterCore({
  themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

interface Asked {
  number: number;
  text: string;
  language: string;
}

addEventListener('message', async ({ data: { number, text, language } }: MessageEvent<Asked>) => {
  postMessage({ number, lines: await coloured(text, language.toLowerCase()).catch(() => null) });
});

async function coloured(text: string, told: string): Promise<Coloured | null> {
  const name = NAMES[told] ?? told;
  const load = LANGUAGES[name];
  if (load === undefined) return null;
  const made: HighlighterCore = await highlighter;
  if (!made.getLoadedLanguages().includes(name)) await made.loadLanguage(load());
  const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' };
  const { tokens } = made.codeToTokens(text, { lang: name, themes, defaultColor: false });
  return tokens.map((line) =>
    line.map(({ content, htmlStyle }): Coloured[number][number] => [
      content,
      htmlStyle?.['--shiki-light'] ?? '',
      htmlStyle?.['--shiki-dark'] ?? '',
    ]),
  );
}
