// Pictures of the terminal for the README, made from the samples: what a command really prints, as SVG.
// Usage: node scripts/pictures.ts (needs the command "script", and a built dist)

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PICTURES: { name: string; typed: string; args: string; columns: number; lines: [from: number, to: number] }[] = [
  { name: 'pal', typed: 'pal', args: '', columns: 112, lines: [0, 17] },
  { name: 'show', typed: 'pal show cb387779', args: 'show cb387779', columns: 100, lines: [0, 57] },
  {
    name: 'events',
    typed: 'pal events --kind rejection --diff',
    args: 'events --kind rejection --diff',
    columns: 112,
    lines: [0, 34],
  },
];

const [WIDTH, HEIGHT, MARGIN] = [8.4, 19, 18];
const COLOURS: Record<string, string> = {
  31: '#f7768e',
  32: '#9ece6a',
  33: '#e0af68',
  34: '#7aa2f7',
  35: '#bb9af7',
  36: '#7dcfff',
};

const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
for (const { name, typed, args, columns, lines } of PICTURES) {
  const shown = [`\u001b[2m$\u001b[22m \u001b[1m${typed}\u001b[22m`, ...printed(args, columns).slice(...lines)];
  writeFileSync(join(folder, `${name}.svg`), picture(typed, shown, columns));
}

function printed(args: string, columns: number): string[] {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-pictures-'));
  cpSync(join(root, 'samples'), home, { recursive: true });
  const command = `stty cols ${columns} rows 1000; "${process.execPath}" "${join(root, 'bin/palimpsest.js')}" ${args}`;
  const ran = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/home/dev',
      PALIMPSEST_HOME: home,
      PALIMPSEST_NOW: '2026-11-16T12:00:00.000Z',
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      TZ: 'UTC',
    },
  });
  return ran.stdout.trimEnd().split('\r\n');
}

interface Style {
  colour: string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

/** Each letter in its column: fonts differ, columns do not. */
function picture(title: string, lines: string[], columns: number): string {
  const width = Math.ceil(columns * WIDTH + 2 * MARGIN);
  const height = lines.length * HEIGHT + 2 * MARGIN;
  const rows = lines.map((line, i) => row(line, MARGIN + (i + 0.75) * HEIGHT));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#1a1b26"/>
<g fill="#c0caf5" xml:space="preserve">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`;
}

function row(line: string, y: number): string {
  const style: Style = { colour: null, bold: false, dim: false, italic: false, underline: false };
  let column = 0;
  let text = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code !== undefined) apply(style, code);
    else if (part !== '') {
      if (part.trim() !== '') text += span(part, MARGIN + column * WIDTH, y, style);
      column += [...part].length;
    }
  }
  return text;
}

function apply(style: Style, code: string): void {
  if (code === '1') style.bold = true;
  else if (code === '2') style.dim = true;
  else if (code === '3') style.italic = true;
  else if (code === '4') style.underline = true;
  else if (code === '22') Object.assign(style, { bold: false, dim: false });
  else if (code === '23') style.italic = false;
  else if (code === '24') style.underline = false;
  else style.colour = COLOURS[code] ?? null;
}

function span(text: string, x: number, y: number, { colour, bold, dim, italic, underline }: Style): string {
  const looks = [
    ...(colour === null ? [] : [`fill="${colour}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.55"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
  ].join(' ');
  const places = [...text].map((_, i) => (x + i * WIDTH).toFixed(1)).join(' ');
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${places}" y="${y.toFixed(1)}" ${looks}>${safe}</text>`;
}
