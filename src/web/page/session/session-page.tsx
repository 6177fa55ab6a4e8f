// The session page: transcript, timeline, layers, and what stands beside them.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, replace, sessionAddress } from '../address.ts';
import { place as placeOf } from '../ask.ts';
import { leftList } from '../list/left-list.ts';
import { Help, useHelp } from '../parts/help.tsx';
import { toggled } from '../parts/toggled.ts';
import { EventRow } from './event-row.tsx';
import { FindBar, useFind } from './find-bar.tsx';
import { firstWords } from './first-words.ts';
import { LayerBar, type Layers } from './layer-bar.tsx';
import { MessageItem } from './message-item.tsx';
import type { MessageStore } from './message-store.ts';
import { eventOf, type Item, isEvent, type SessionModel } from './model.ts';
import { EventsPanel, RawPanel, RemarksPanel, ThreadPanel } from './panels.tsx';
import { type PanelName, SessionHead } from './session-head.tsx';
import { Banner, Loading, Trouble } from './states.tsx';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { useKeys } from './use-keys.ts';
import { usePlace } from './use-place.ts';
import { useSession } from './use-session.ts';

const ALL_LAYERS: Layers = { at: null, isHiding: false, pinned: null };
const NO_MESSAGE = 'The link leads to a message that is not in this session, or no longer.';
/** Blocks of a message that are opened along with it; seldom has one more. */
const MOST_OPENED = 40;

export function SessionPage({ session, message }: { session: string; message: string | null }) {
  const { model, store, first, trouble } = useSession(session);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [layers, setLayers] = useState<Layers>(ALL_LAYERS);
  const [notice, setNotice] = useState<string | null>(null);
  const found = useFind(session);
  const help = useHelp();

  const items = useMemo(() => (model === null ? [] : shownItems(model, layers)), [model, layers.at, layers.isHiding]);
  const place = usePlace({
    model,
    items,
    unhide: () => setLayers((before) => ({ ...before, isHiding: false })),
    openEvent: (event) => setOpened((before) => new Set(before).add(`event/${event}`)),
  });
  const { current, seen, here, goTo, goToItem, goToEvent, step, stepEvent } = place;
  const togglePanel = (name: PanelName) => setPanel((before) => (before === name ? null : name));
  /** Words that were found may be in what is folded. */
  const unfold = (index: number) => {
    const folded = [`${index}/all`, ...Array.from({ length: MOST_OPENED }, (_, i) => `${index}/${i}`)];
    setOpened((before) => new Set([...before, ...folded]));
  };

  // A link leads to a message, wherever it stands by now.
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (model === null || message === null || asked.current === message) return;
    asked.current = message;
    const [, why, at] = /^(at|found)-(\d+)$/.exec(message) ?? [];
    const isThere = at !== undefined && Number(at) < model.count;
    setNotice(at === undefined || isThere ? null : NO_MESSAGE);
    if (isThere) {
      if (why === 'found') unfold(Number(at));
      goTo(Number(at), 'center');
    } else if (at === undefined)
      placeOf(session, message)
        .then(({ index }) => goTo(index, 'auto'))
        .catch(() => setNotice(NO_MESSAGE));
  }, [model, message]);
  // Who has gone elsewhere knows.
  useEffect(() => {
    if (current !== null) setNotice(null);
  }, [current]);
  useEffect(() => {
    document.title = model === null ? 'Palimpsest' : `${model.answer.session.title ?? session} · Palimpsest`;
  }, [model, session]);
  useEffect(() => {
    const id = current === null ? undefined : store.get(current)?.id;
    if (id === undefined) return;
    replace(sessionAddress(session, id));
  }, [current, store.get(current ?? -1)?.id]);

  const toggle = (name: string) => setOpened((before) => toggled(before, name));
  const toggleCurrent = () => {
    const blocks = store.get(here())?.blocks ?? [];
    const names = [`${here()}/all`, ...blocks.map((_, i) => `${here()}/${i}`)];
    setOpened((before) => {
      const isOpen = names.some((name) => before.has(name));
      const next = new Set(before);
      for (const name of names) isOpen ? next.delete(name) : next.add(name);
      return next;
    });
  };
  const setAt = (at: number) => {
    if (model !== null) setLayers((before) => ({ ...before, at: Math.max(0, Math.min(model.count - 1, at)) }));
  };
  const stepLayer = (by: -1 | 1) => {
    if (model === null) return;
    const at = layers.at ?? here();
    const { windows } = model.answer;
    const window = model.windowAt(at);
    // A layer is seen best just before the next one takes its place.
    const ends = windows.map((_, i) => (windows[i + 1]?.opened_at_index ?? model.count) - 1);
    const next = by === 1 ? ((ends[window] ?? 0) > at ? ends[window] : ends[window + 1]) : (ends[window - 1] ?? 0);
    setAt(next ?? model.count - 1);
    // Its last message need not have been sent, and then it is not in what the layer shows.
    if (layers.isHiding) place.setCurrent(next ?? model.count - 1);
    else goTo(next ?? model.count - 1, 'center');
  };
  const toggleLayers = () =>
    setLayers((before) => ({ ...before, pinned: null, at: before.at === null ? here('last') : null }));
  // A session that was written anew may be shorter.
  useEffect(() => {
    if (layers.at !== null && layers.at >= (model?.count ?? 0)) setLayers(ALL_LAYERS);
  }, [model]);

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    u: () => step(1, (index) => model?.kind(index) === 'p'),
    y: () => step(-1, (index) => model?.kind(index) === 'p'),
    n: () => stepEvent(1),
    p: () => stepEvent(-1),
    o: toggleCurrent,
    Enter: toggleCurrent,
    r: () => {
      place.setCurrent(here());
      togglePanel('raw');
    },
    l: toggleLayers,
    '[': () => stepLayer(-1),
    ']': () => stepLayer(1),
    ',': () => setAt((layers.at ?? here()) - 1),
    '.': () => setAt((layers.at ?? here()) + 1),
    h: () => setLayers((before) => ({ ...before, at: before.at ?? here(), isHiding: !before.isHiding })),
    c: () =>
      setLayers((before) => ({
        ...before,
        at: before.at ?? here(),
        pinned: before.pinned === null ? (before.at ?? here()) : null,
      })),
    e: () => togglePanel('events'),
    t: () => togglePanel('thread'),
    '/': found.open,
    g: () => goTo(0),
    G: () => {
      place.setCurrent((model?.count ?? 1) - 1);
      place.scroller.current?.toEnd();
    },
    b: () => go(leftList.address),
    Escape: () => {
      if (help.isOpen) return;
      if (found.isOpen) found.close();
      else if (panel !== null) setPanel(null);
      else setLayers(ALL_LAYERS);
    },
  });

  if (trouble !== null && model === null) return <Trouble message={trouble} />;
  if (model === null) return <Loading session={session} first={first} opened={opened} toggle={toggle} />;
  const comparing =
    layers.pinned === null || layers.at === null
      ? null
      : { from: model.wholes(layers.pinned), to: model.wholes(layers.at) };
  return (
    <div class={`session-page${layers.at === null ? '' : ' in-layers'}${panel === null ? '' : ' with-panel'}`}>
      <SessionHead
        model={model}
        isLayered={layers.at !== null}
        panel={panel}
        isFinding={found.isOpen}
        toggleLayers={toggleLayers}
        togglePanel={togglePanel}
        find={found.open}
        help={help.toggle}
      />
      {layers.at !== null && model.count > 0 && (
        <LayerBar
          model={model}
          layers={{ ...layers, at: layers.at }}
          move={(at) => {
            setAt(at);
            if (!layers.isHiding) goToItem(at, 'center');
          }}
          step={stepLayer}
          hide={() => setLayers((before) => ({ ...before, isHiding: !before.isHiding }))}
          pin={() => setLayers((before) => ({ ...before, pinned: before.pinned === null ? before.at : null }))}
          leave={() => setLayers(ALL_LAYERS)}
        />
      )}
      {found.isOpen && (
        <FindBar
          found={found}
          goTo={(index) => {
            unfold(index);
            goTo(index, 'center');
          }}
        />
      )}
      <Banner message={trouble ?? store.trouble ?? notice} />
      <div class="session-body">
        {panel === 'events' && (
          <EventsPanel model={model} current={place.currentEvent} goToEvent={goToEvent} close={() => setPanel(null)} />
        )}
        {panel === 'thread' && (
          <ThreadPanel session={session} model={model} goToEvent={goToEvent} close={() => setPanel(null)} />
        )}
        {panel === 'raw' && <RawPanel session={session} index={current ?? seen.first} close={() => setPanel(null)} />}
        {panel === 'remarks' && <RemarksPanel model={model} close={() => setPanel(null)} />}
        <Transcript
          model={model}
          store={store}
          items={items}
          scroller={place.scroller}
          seen={(first, last) => place.setSeen({ first, last })}
          draw={(item) => {
            if (isEvent(item)) {
              const number = eventOf(item);
              const told = model.event(item);
              if (told === undefined) return null;
              return (
                <EventRow
                  told={told}
                  isOpen={opened.has(`event/${number}`)}
                  toggle={() => toggle(`event/${number}`)}
                  goTo={(index) => goTo(index, 'center')}
                  lineOf={(index) => lineOf(model, store, index)}
                  address={told.next === null ? '' : sessionAddress(told.next)}
                />
              );
            }
            return (
              <MessageItem
                model={model}
                session={session}
                index={item}
                shown={store.get(item)}
                standing={standingOf(model, layers, item, comparing)}
                at={layers.at}
                isCurrent={item === current}
                isFound={found.set.has(item)}
                opened={opened}
                toggle={toggle}
                wholeText={(index) => void store.all(index)}
              />
            );
          }}
        />
        <Timeline
          model={model}
          first={seen.first}
          last={seen.last}
          at={layers.at}
          pinned={layers.pinned}
          found={found.indices}
          goTo={(index) => goToItem(index, 'center')}
          goToEvent={goToEvent}
          scroll={(pages) => place.scroller.current?.byPages(pages)}
          moveLayer={setAt}
        />
      </div>
      {help.isOpen && <Help close={help.toggle} page="session" />}
    </div>
  );
}

/** In a layer that hides the rest, messages stand in the order in which they were sent. */
function shownItems(model: SessionModel, { at, isHiding }: Layers): Item[] {
  return at === null || !isHiding ? model.items : model.context(at).order;
}

interface Comparing {
  from: ReadonlySet<number>;
  to: ReadonlySet<number>;
}

function standingOf(model: SessionModel, { at }: Layers, index: number, comparing: Comparing | null): string {
  if (comparing !== null) {
    const [was, is] = [comparing.from.has(index), comparing.to.has(index)];
    if (was !== is) return was ? 'forgot' : 'learnt';
  }
  return at === null ? 'seen' : model.standing(index, at);
}

const NAMES: Record<string, string> = {
  p: 'you',
  r: 'reply',
  t: 'result',
  c: 'command',
  s: 'summary',
  i: 'stopped',
  n: 'notice',
  m: 'told',
};

/** A message in one line, for those who list many; undefined until it is there. */
function lineOf(model: SessionModel, store: MessageStore, index: number): string | undefined {
  store.want(index, index);
  const shown = store.get(index);
  return shown && `${NAMES[model.kind(index)] ?? ''}: ${firstWords(shown).slice(0, 140)}`;
}
