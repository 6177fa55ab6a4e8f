import { eventsOf, transcript } from '../../index.ts';
import { chooseOne, type FilterOptions, withSession } from '../choose.ts';
import { writeAll, writeJson } from '../output.ts';
import { contextOf, messageIndex } from './context.ts';

interface ShowFlags extends FilterOptions {
  layers: 'live' | 'all';
  at?: string;
  tools: 'none' | 'short' | 'full';
  thinking?: boolean;
  meta?: boolean;
  json?: boolean;
}

export function show(id: string | undefined, flags: ShowFlags): void {
  withSession(chooseOne(id, flags), (session) => {
    const narrowed = flags.at !== undefined || flags.layers === 'live';
    if (flags.json === true) {
      const shown = narrowed ? contextOf(session, messageIndex(session, flags.at)) : [...session.sentMarks().keys()];
      writeJson('transcript', {
        session: session.document.session,
        messages: shown.map((index) => session.message(index)),
        events: eventsOf(session.document),
      });
      return;
    }
    const only = narrowed ? new Set(contextOf(session, messageIndex(session, flags.at))) : undefined;
    writeAll(
      transcript(session, {
        ...(only === undefined ? {} : { only }),
        tools: flags.tools,
        thinking: flags.thinking === true,
        meta: flags.meta === true,
      }),
    );
  });
}
