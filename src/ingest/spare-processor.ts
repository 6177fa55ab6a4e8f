import { setFlagsFromString } from 'node:v8';

/**
 * For a process that reads whole histories and then ends: V8 is told to do without its last compiler, which takes a fifth of the
 * processor's time, in threads of its own, to make code faster of which none runs for long; and to collect what is young in one thread.
 * Documents then take a seventh less processor time, and up to a thirtieth more on the clock where another processor has nothing else to do.
 * And what V8 has learnt about the shapes of rows it keeps: at each collection of everything it would forget those of which none is left, and
 * compile anew what was made for them (up to 117 functions in a history of 1 GB; with this, 10).
 * It holds for the whole process.
 */
export function spareProcessor(): void {
  withoutLastCompiler();
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--retain-maps-for-n-gc=1000');
}

/**
 * For a process that reads tokens in as many threads as there are processors, answers, and ends: what V8 compiles is compiled for each of them, and
 * takes the time of all. Without its last compiler, and without functions copied into one another by the one before, two threads take an eighth less
 * processor time; one thread, beside which a processor is idle, would take more. It holds for the whole process.
 */
export function compileLittle(): void {
  withoutLastCompiler();
  setFlagsFromString('--no-maglev-inlining');
  setFlagsFromString('--no-parallel-scavenge');
}

/** What the compiler before the last one makes is good enough in Node 24 (V8 13) and 26. In Node 22 tokens would take half as much again, an index a sixth. */
function withoutLastCompiler(): void {
  if (Number.parseInt(process.versions.v8, 10) >= 13) setFlagsFromString('--no-turbofan');
}
