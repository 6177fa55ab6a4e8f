// Has V8 compile at load what quick commands call. Otherwise it compiles each function when it is first called, a fifth of the time in which an
// index is brought up to date, and what Node keeps of compiled code (`src/cli/start.ts`) is only what was compiled at load.
//
// V8 compiles a function at load where it stands in parentheses, as one that is called at once does. Functions that quick commands call are
// found by calling them, and are put in parentheses; all others stay as they are.

import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

interface Range {
  start: number;
  end: number;
}

type Program = ReturnType<typeof parseAst>;
type Statement = Program['body'][number];
type Class = Extract<Statement, { type: 'ClassDeclaration' | 'ClassExpression' }>;
type Members = Class['body']['body'];
type Method = Extract<Members[number], { kind: 'method' | 'get' | 'set' | 'constructor' }>;
/** Is the function called that begins and ends there? */
export type IsCalled = (range: Range) => boolean;

/** The same program. */
export function compiledAtLoad(code: string, isCalled: IsCalled): string {
  const program = parseAst(code);
  const insertions = parentheses(program, isCalled);
  const textOf = (range: Range) => textWith(code, insertions, range);
  const declared: string[] = [];
  let text = '';
  let at = 0;
  let givesMethods = false;
  const skip = ({ start, end }: Range) => {
    text += textOf({ start: at, end: start });
    at = end;
  };
  for (const statement of program.body) {
    if (statement.type === 'FunctionDeclaration' && statement.id !== null && isCalled(statement)) {
      skip(statement);
      const { async, generator, id, end } = statement;
      declared.push(`${id.name}=(${keyword({ async, generator })}${textOf({ start: id.end, end })})`);
    }
    const methods = calledMethods(statement, code, isCalled);
    for (const { definition } of methods) skip(definition);
    if (methods.length === 0) continue;
    skip({ start: statement.end, end: statement.end });
    const given = methods.map(({ definition: { value }, name }) => `${name}:(${keyword(value)}${textOf(value)})`);
    text += `;${GIVE}(${methods[0]?.owner},{${given.join(',')}});`;
    givesMethods = true;
  }
  text += textOf({ start: at, end: code.length });
  // Functions that are declared can be called before their place is reached: these can be from the first place on. Each use of a
  // `const` would be checked for coming too early.
  if (givesMethods) declared.push(`${GIVE}=${GIVING}`);
  return declared.length === 0 ? text : `var ${declared.join(',')};${text}`;
}

/** Gives methods to a class: they have their names, and are not among those that a loop over an object finds, as if they stood in it. */
const GIVE = 'giveMethods$';
const GIVING =
  '((owner,methods)=>{for(const name in methods)Object.defineProperty(owner.prototype,name,{value:methods[name],writable:true,configurable:true})})';

interface Insertion {
  at: number;
  text: '(' | ')';
}

/** Around every expression that is a function, in the order of their places. */
function parentheses(program: Program, isCalled: IsCalled): Insertion[] {
  const found: Insertion[] = [];
  const methods = new Set<unknown>();
  const take = (node: Range) => {
    if (!methods.has(node) && isCalled(node)) found.push({ at: node.start, text: '(' }, { at: node.end, text: ')' });
  };
  const visitor = new Visitor({
    MethodDefinition: ({ value }) => {
      methods.add(value);
    },
    Property: ({ method, kind, value }) => {
      if (method || kind !== 'init') methods.add(value);
    },
    FunctionExpression: take,
    ArrowFunctionExpression: take,
  });
  visitor.visit(program);
  // One that ends where another begins ends first.
  return found.sort((a, b) => a.at - b.at || (a.text === b.text ? 0 : a.text === ')' ? -1 : 1));
}

function textWith(code: string, insertions: readonly Insertion[], { start, end }: Range): string {
  let text = '';
  let at = start;
  for (const insertion of insertions) {
    const isInside =
      insertion.text === '('
        ? insertion.at >= start && insertion.at < end
        : insertion.at > start && insertion.at <= end;
    if (!isInside) continue;
    text += code.slice(at, insertion.at) + insertion.text;
    at = insertion.at;
  }
  return text + code.slice(at, end);
}

interface CalledMethod {
  owner: string;
  name: string;
  definition: Method;
}

/** The methods of a class that can as well be given to it when it is made. */
function calledMethods(statement: Statement, code: string, isCalled: IsCalled): CalledMethod[] {
  const made = classIn(statement);
  if (made === undefined) return [];
  const { owner, members } = made;
  // What is made together with the class may call them.
  if (members.some((member) => member.type === 'StaticBlock' || member.static)) return [];
  return members.flatMap((definition): CalledMethod[] => {
    if (definition.type !== 'MethodDefinition' || definition.kind !== 'method') return [];
    const { key, computed, value } = definition;
    if (computed || key.type !== 'Identifier' || !(isCalled(definition) || isCalled(value))) return [];
    // Only what stands in the class can say this.
    if (/\bsuper\b|#/.test(code.slice(definition.start, definition.end))) return [];
    return [{ owner, name: key.name, definition }];
  });
}

function classIn(statement: Statement): { owner: string; members: Members } | undefined {
  if (statement.type === 'ClassDeclaration' && statement.id !== null)
    return { owner: statement.id.name, members: statement.body.body };
  if (statement.type !== 'VariableDeclaration') return undefined;
  const [declared, ...others] = statement.declarations;
  if (others.length > 0 || declared?.id.type !== 'Identifier' || declared.init?.type !== 'ClassExpression')
    return undefined;
  return { owner: declared.id.name, members: declared.init.body.body };
}

function keyword({ async, generator }: { async: boolean; generator: boolean }): string {
  return `${async ? 'async ' : ''}function${generator ? '*' : ''}`;
}
