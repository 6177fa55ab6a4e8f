// The drawing of the timeline.

import { GLYPHS } from '../parts/events.ts';
import type { SessionModel } from './model.ts';

interface Sheet {
  model: SessionModel;
  width: number;
  height: number;
  colours: Colours;
}

interface Drawing extends Sheet {
  at: number | null;
  pinned: number | null;
  found: readonly number[];
}

interface View extends Sheet {
  first: number;
  last: number;
}

type Colours = (name: string) => string;

export function colours(element: Element): Colours {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--${name}`).trim() || '#888';
}

/** Room for the marks at the left, and for the core at the right: what of it the model saw. */
const [MARKS, CORE] = [26, 7];

export function drawSession(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const pen = cleared(canvas, drawing);
  if (pen === null) return;
  drawContext(pen, drawing);
  drawFound(pen, drawing);
  drawCore(pen, drawing);
  drawMarks(pen, drawing);
  drawLayer(pen, drawing);
}

function cleared(canvas: HTMLCanvasElement, { width, height }: Sheet): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext('2d');
  pen?.scale(scale, scale);
  return pen;
}

/** Each row of pixels stands for one message, for a part of one, or for many: then the largest counts. */
function drawContext(pen: CanvasRenderingContext2D, { model, width, height, at, colours }: Drawing): void {
  const { context, context_recorded } = model.answer;
  const [right, room] = [width - CORE - 3, width - CORE - 3 - MARKS];
  const inks = { told: colours('context-ink'), guessed: colours('context-guess'), past: colours('context-past') };
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y / height) * model.count);
    const to = Math.max(from + 1, Math.floor(((y + 1) / height) * model.count));
    let [most, isTold] = [0, false];
    for (let i = from; i < to; i++) {
      most = Math.max(most, context[i] ?? 0);
      isTold ||= context_recorded[i] === '1';
    }
    const length = (most / model.peak) * room;
    pen.fillStyle = at !== null && from > at ? inks.past : isTold ? inks.told : inks.guessed;
    pen.fillRect(right - length, y, length, 1);
  }
}

/** A core through the layers: filled where the model still had the message before it. */
function drawCore(pen: CanvasRenderingContext2D, { model, width, height, at, colours }: Drawing): void {
  const end = at ?? model.count - 1;
  const { set } = model.context(end);
  pen.fillStyle = colours('core-empty');
  pen.fillRect(width - CORE, 0, CORE, height);
  pen.fillStyle = colours('core');
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y / height) * model.count);
    const to = Math.max(from + 1, Math.floor(((y + 1) / height) * model.count));
    let isIn = false;
    for (let i = from; i < to && !isIn; i++) isIn = set.has(i);
    if (isIn) pen.fillRect(width - CORE, y, CORE, 1);
  }
}

function drawFound(pen: CanvasRenderingContext2D, { model, width, height, found, colours }: Drawing): void {
  pen.fillStyle = colours('found');
  for (const index of found)
    pen.fillRect(MARKS, Math.floor((index / model.count) * height), width - MARKS - CORE - 3, 2);
}

/** What of it is on screen. */
export function drawView(canvas: HTMLCanvasElement, view: View): void {
  const pen = cleared(canvas, view);
  if (pen === null) return;
  const { model, width, height, first, last, colours } = view;
  const top = (first / model.count) * height;
  const bottom = Math.max(top + 10, ((last + 1) / model.count) * height);
  pen.fillStyle = colours('view');
  pen.fillRect(0, top, width, bottom - top);
  pen.strokeStyle = colours('view-edge');
  pen.lineWidth = 1;
  pen.strokeRect(0.5, Math.floor(top) + 0.5, width - 1, Math.max(9, bottom - top - 1));
}

/** Where the events stand: after the message that they came after. */
export function eventPlaces(model: SessionModel, height: number): number[] {
  return model.answer.events.map(({ after }) => ((after + 1) / Math.max(1, model.count)) * height);
}

function drawMarks(pen: CanvasRenderingContext2D, { model, width, height, colours }: Drawing): void {
  pen.font = '700 10px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  let [before, column] = [Number.NEGATIVE_INFINITY, 0];
  eventPlaces(model, height).forEach((place, event) => {
    const kind = model.answer.events[event]?.kind ?? 'failure';
    const y = Math.max(7, Math.min(height - 7, place));
    // Marks that would cover one another stand side by side, as long as there is room.
    column = y - before < 11 ? (column + 1) % 3 : 0;
    before = y;
    const x = 8 + column * 9;
    pen.strokeStyle = pen.fillStyle = colours(kind);
    if (kind === 'compaction' || kind === 'clear') {
      pen.globalAlpha = 0.8;
      pen.fillRect(MARKS - 8, Math.round(place) - 0.5, width - MARKS - CORE + 4, 1);
      pen.globalAlpha = 1;
    }
    pen.beginPath();
    pen.arc(x, y, 6.5, 0, Math.PI * 2);
    pen.fill();
    pen.fillStyle = colours('mark-letter');
    pen.fillText(GLYPHS[kind], x, y + 0.5);
  });
}

function drawLayer(pen: CanvasRenderingContext2D, { model, width, height, at, pinned, colours }: Drawing): void {
  const line = (message: number, dashed: boolean) => {
    const y = Math.round(((message + 1) / model.count) * height) - 0.5;
    pen.strokeStyle = pen.fillStyle = colours('layer');
    pen.lineWidth = 2;
    pen.setLineDash(dashed ? [4, 3] : []);
    pen.beginPath();
    pen.moveTo(0, y);
    pen.lineTo(width, y);
    pen.stroke();
    pen.setLineDash([]);
    if (dashed) return;
    pen.beginPath();
    pen.moveTo(0, y - 7);
    pen.lineTo(10, y);
    pen.lineTo(0, y + 7);
    pen.fill();
  };
  if (pinned !== null) line(pinned, true);
  if (at !== null) line(at, false);
}
