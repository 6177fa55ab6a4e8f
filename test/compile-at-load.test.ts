// The build puts functions that quick commands call in parentheses. It must stay the same program.

import { describe, expect, test } from 'vitest';
import { compiledAtLoad } from '../scripts/compile-at-load.ts';

const ALL = () => true;
const NONE = () => false;
const GIVING =
  'giveMethods$=((owner,methods)=>{for(const name in methods)Object.defineProperty(owner.prototype,name,{value:methods[name],writable:true,configurable:true})})';

describe('what is called is put in parentheses', () => {
  test.each([
    ['a declared function, which goes first', 'a();function a(b){return b}', 'var a=(function(b){return b});a();'],
    ['one that waits', 'async function a(){}', 'var a=(async function(){});'],
    ['one that gives values one by one', 'function*a(){}', 'var a=(function*(){});'],
    ['an arrow', 'const a=b=>b', 'const a=(b=>b)'],
    ['one in another', 'const a=b=>c=>b+c;', 'const a=(b=>(c=>b+c));'],
    ['arrows in a declared function', 'function a(b=()=>1){return b()}', 'var a=(function(b=(()=>1)){return b()});'],
    ['a function without a name', 'const a=function(){},b=[async()=>1]', 'const a=(function(){}),b=[(async()=>1)]'],
    [
      'a method, which is given to its class',
      'class A{b(c){return()=>c}}new A',
      `var ${GIVING};class A{};giveMethods$(A,{b:(function(c){return(()=>c)})});new A`,
    ],
    [
      'methods of a class that has no name',
      'const A=class{async b(){}*c(){}};',
      `var ${GIVING};const A=class{};;giveMethods$(A,{b:(async function(){}),c:(function*(){})});`,
    ],
  ])('%s', (_, code, expected) => {
    expect(compiledAtLoad(code, ALL)).toBe(expected);
  });
});

describe('what stays as it is', () => {
  test.each([
    ['what begins a class, and what looks like a field', 'class A{constructor(){}get b(){return 1}set b(c){}}'],
    ['methods that only a class can have', 'class A extends B{a(){super.a()}b(){return this.#c}#c=1}'],
    ['methods of a class that may be used while it is made', 'class A{a(){}static b=new A().a()}'],
    ['methods with names that are worked out', "class A{['a'](){}}"],
    ['methods of objects', 'const a={b(){},get c(){return 1}}'],
    ['what a file gives by its declaration', 'export function a(){}'],
  ])('%s', (_, code) => {
    expect(compiledAtLoad(code, ALL)).toBe(code);
  });

  test('what nobody calls', () => {
    const code = 'function a(){return()=>1}class A{b(){}}';
    expect(compiledAtLoad(code, NONE)).toBe(code);
  });
});

test('it does the same as before', async () => {
  const code = `
    const first = twice(2);
    function twice(a) { return a * 2 }
    function* upTo(a) { for (let i = 0; i < a; i++) yield i }
    class Sum { all = []; add(a) { this.all.push(a); return this } of() { return this.all.reduce((a, b) => a + b) } }
    class Named extends Sum { add(a) { return super.add(a + 1) } name() { return Named.prototype.add.name } }
    const keys = []; for (const key in new Named()) keys.push(key);
    export default [first, [...upTo(3)], new Named().add(1).add(2).of(), new Named().name(), new Sum().of.name, twice.name, keys]`;
  const exportedBy = async (text: string) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
  const expected = [4, [0, 1, 2], 5, 'add', 'of', 'twice', ['all']];
  expect(await exportedBy(code)).toEqual(expected);
  expect(await exportedBy(compiledAtLoad(code, ALL))).toEqual(expected);
});
