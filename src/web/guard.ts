// Who may ask, and what the browser may do with the answer. Transcripts hold whatever models, web pages and strangers'
// repositories wrote: nothing of it may run, and no other page may read it.

import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ErrorAnswer } from './api.ts';

export interface GuardOptions {
  token: string;
  /** `host:port` of every address by which it may be asked. */
  hosts: ReadonlySet<string>;
  cookie: string;
}

/** Nothing from elsewhere, nothing inline, no string that becomes code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types palimpsest',
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};
const NOT_KEPT = { 'Cache-Control': 'no-store' };

export function guard({ token, hosts, cookie }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    for (const [name, value] of Object.entries({ ...HEADERS, ...NOT_KEPT })) context.header(name, value);
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refused(context, 'Palimpsest only shows; it takes nothing.', 405);
    // A name of somebody else's that leads to this machine (DNS rebinding) is not ours.
    const host = req.header('host') ?? '';
    if (!hosts.has(host)) return refused(context, 'Palimpsest does not answer by this name.', 421);
    const origin = req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) return refused(context, 'Not from another page.', 403);
    const site = req.header('sec-fetch-site');
    const given = req.query('token');
    // A link that a person follows may come from anywhere, but only with the token.
    const isFollowed = req.header('sec-fetch-mode') === 'navigate' && site !== undefined;
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isFollowed)
      return refused(context, 'Not from another page.', 403);
    if (given !== undefined && isSame(given, token)) {
      setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
      const to = new URL(req.url);
      to.searchParams.delete('token');
      return context.redirect(`${to.pathname}${to.search}`, 303);
    }
    if (!isSame(getCookie(context, cookie) ?? '', token)) return refused(context, NO_TOKEN, 401);
    await next();
    // An answer that was made apart from the context has none of what was set before.
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', NOT_KEPT['Cache-Control']);
    return undefined;
  };
}

const NO_TOKEN =
  'This is Palimpsest. Open the address that "pal serve" printed, with its token: it is new at every start.';

/** In words for people; programs get them as every answer of the API. */
function refused(context: Context, error: string, status: 401 | 403 | 405 | 421): Response {
  if (!context.req.path.startsWith('/api/')) return context.text(`${error}\n`, status);
  return context.json({ api_version: 1, error } satisfies ErrorAnswer, status);
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
