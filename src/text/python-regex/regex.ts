import { caseless } from './characters.js';
import { parsePythonRegex } from './parse.js';
import { type Instruction, type Program, programOf } from './program.js';
import type { Place } from './tree.js';

export { PythonRegexError } from './tree.js';

/**
 * Steps left to one search or several, about ten million a second. Node's own RegExp cannot be interrupted, and a
 * pattern that backtracks without end on a hostile text must not hold up a run.
 */
export interface RegexBudget {
  steps: number;
}

class OutOfSteps extends Error {}

/** What stands on the stack, four numbers an entry: kind and three that depend on it. */
const RESTORE = 0; // register, its former value
const CHOICE = 1; // address, position
const SHRINK = 2; // address, position of the next shorter run, least position
const GROW = 3; // address of the run, position, characters taken
const TURN = 4; // address of the loop, position
const ENTRY = 4;

/** One search in one text, by backtracking on an explicit stack. */
class Machine {
  private readonly registers: Int32Array;
  private stack: number[] = [];
  private address = 0;
  private at = 0;

  constructor(
    private readonly program: Program,
    private readonly text: Int32Array,
    private readonly budget: RegexBudget,
  ) {
    this.registers = new Int32Array(program.registers);
  }

  search(): boolean {
    const { code, anchored } = this.program;
    const [first] = code;
    const last = anchored ? 0 : this.text.length;
    for (let start = 0; start <= last; start += 1) {
      this.step(1);
      if (first?.op === 'one' && !this.takes(first.test, start)) continue;
      this.registers.fill(-1);
      this.stack = [];
      if (this.run(0, start)) return true;
    }
    return false;
  }

  /** Runs from an address and position to the `end` of the same level; `at` is then the position there. */
  private run(address: number, at: number): boolean {
    const base = this.stack.length;
    this.address = address;
    this.at = at;
    for (;;) {
      this.step(1);
      const instruction = this.program.code[this.address];
      if (instruction === undefined || instruction.op === 'end') return true;
      this.address += 1;
      if (!this.perform(instruction) && !this.back(base)) return false;
    }
  }

  /** False when the text does not fit. */
  private perform(instruction: Exclude<Instruction, { op: 'end' }>): boolean {
    switch (instruction.op) {
      case 'one':
        if (!this.takes(instruction.test, this.at)) return false;
        this.at += 1;
        return true;
      case 'run':
        return this.performRun(instruction);
      case 'split':
        this.stack.push(CHOICE, instruction.second, this.at, 0);
        this.address = instruction.first;
        return true;
      case 'jump':
        this.address = instruction.to;
        return true;
      case 'save':
        this.set(instruction.register, this.at);
        return true;
      case 'at':
        return this.isAt(instruction.where);
      case 'boundary': {
        // On an empty text Python finds neither \b nor \B.
        if (this.text.length === 0) return false;
        const before = this.takes(instruction.word, this.at - 1);
        return (before !== this.takes(instruction.word, this.at)) !== instruction.negate;
      }
      case 'reference':
        return this.again(instruction.group, instruction.caseless);
      case 'condition':
        if (this.groupEnd(instruction.group) < 0) this.address = instruction.no;
        return true;
      case 'apart':
        return this.performApart(instruction);
      case 'enter':
        this.set(instruction.register, 0);
        this.set(instruction.register + 1, -1);
        return true;
      case 'loop':
        this.performLoop(instruction, this.address - 1);
        return true;
    }
  }

  private performRun(run: Instruction & { op: 'run' }): boolean {
    const { test, min, max, mode } = run;
    const most = mode === 'lazy' ? min : max;
    let count = 0;
    while (count < most && this.takes(test, this.at + count)) count += 1;
    this.step(count);
    if (count < min) return false;
    if (mode === 'greedy' && count > min) {
      this.stack.push(SHRINK, this.address, this.at + count - 1, this.at + min);
    } else if (mode === 'lazy' && min < max) {
      this.stack.push(GROW, this.address - 1, this.at + min, min);
    }
    this.at += count;
    return true;
  }

  private performApart(apart: Instruction & { op: 'apart' }): boolean {
    const mark = this.stack.length;
    const start = this.at;
    const from = start - apart.back;
    const matched = from >= 0 && this.run(this.address, from);
    const end = this.at;
    if (apart.kind === 'not') {
      while (this.unwind(mark)) this.stack.length -= ENTRY;
    } else {
      this.forgetChoices(mark);
    }
    this.address = apart.next;
    this.at = apart.kind === 'atomic' ? end : start;
    return matched !== (apart.kind === 'not');
  }

  private performLoop(loop: Instruction & { op: 'loop' }, address: number): void {
    const turns = this.registers[loop.register] ?? 0;
    if (turns < loop.min) {
      this.turn(loop, turns);
      return;
    }
    // A turn that took nothing is the last, else it would never end.
    const may = turns < loop.max && this.registers[loop.register + 1] !== this.at;
    if (may && !loop.lazy) {
      this.stack.push(CHOICE, loop.exit, this.at, 0);
      this.turn(loop, turns);
      return;
    }
    if (may) this.stack.push(TURN, address, this.at, 0);
    this.address = loop.exit;
  }

  private turn(loop: Instruction & { op: 'loop' }, turns: number): void {
    this.set(loop.register, turns + 1);
    this.set(loop.register + 1, this.at);
    this.address = loop.body;
  }

  /** Goes on from the newest choice above `base`; false when there is none. */
  private back(base: number): boolean {
    const { stack } = this;
    while (this.unwind(base)) {
      const top = stack.length - ENTRY;
      const kind = stack[top];
      const address = stack[top + 1] ?? 0;
      const at = stack[top + 2] ?? 0;
      const extra = stack[top + 3] ?? 0;
      stack.length = top;
      this.address = address;
      this.at = at;
      if (kind === CHOICE) return true;
      if (kind === SHRINK) {
        if (at > extra) stack.push(SHRINK, address, at - 1, extra);
        return true;
      }
      const instruction = this.program.code[address];
      if (instruction?.op === 'loop') {
        this.turn(instruction, this.registers[instruction.register] ?? 0);
        return true;
      }
      this.step(1);
      if (instruction?.op === 'run' && this.takes(instruction.test, at)) {
        if (extra + 1 < instruction.max) stack.push(GROW, address, at + 1, extra + 1);
        this.address = address + 1;
        this.at = at + 1;
        return true;
      }
    }
    return false;
  }

  /** Restores registers down to the newest choice above `base`, which stays; false when there is none. */
  private unwind(base: number): boolean {
    const { stack } = this;
    while (stack.length > base) {
      const top = stack.length - ENTRY;
      if (stack[top] !== RESTORE) return true;
      this.registers[stack[top + 1] ?? 0] = stack[top + 2] ?? -1;
      stack.length = top;
    }
    return false;
  }

  /** Drops the choices above `base`; what registers held stays known to the choices below. */
  private forgetChoices(base: number): void {
    const above = this.stack.splice(base);
    for (let i = 0; i < above.length; i += ENTRY) {
      if (above[i] === RESTORE) this.stack.push(...above.slice(i, i + ENTRY));
    }
  }

  private set(register: number, value: number): void {
    this.stack.push(RESTORE, register, this.registers[register] ?? -1, 0);
    this.registers[register] = value;
  }

  private step(count: number): void {
    this.budget.steps -= count;
    if (this.budget.steps < 0) throw new OutOfSteps();
  }

  private takes(test: (code: number) => boolean, at: number): boolean {
    const code = this.text[at];
    return code !== undefined && test(code);
  }

  private isAt(where: Place): boolean {
    const { text, at } = this;
    switch (where) {
      case 'start':
        return at === 0;
      case 'very end':
        return at === text.length;
      case 'end':
        return at === text.length || (at === text.length - 1 && text[at] === 10);
      case 'line start':
        return at === 0 || text[at - 1] === 10;
      case 'line end':
        return at === text.length || text[at] === 10;
    }
  }

  /** Where a group ended; -1 when it took no part. */
  private groupEnd(group: number): number {
    const start = this.registers[2 * group] ?? -1;
    const end = this.registers[2 * group + 1] ?? -1;
    return start < 0 || end < start ? -1 : end;
  }

  private again(group: number, ignoreCase: boolean): boolean {
    const end = this.groupEnd(group);
    if (end < 0) return false;
    for (let from = this.registers[2 * group] ?? 0; from < end; from += 1) {
      this.step(1);
      const [want = -1, have = -2] = [this.text[from], this.text[this.at]];
      if (want !== have && !(ignoreCase && have >= 0 && caseless(want) === caseless(have))) {
        return false;
      }
      this.at += 1;
    }
    return true;
  }
}

/**
 * A pattern of Python's `re` for text, with Python's meaning: `\d`, `\w`, `\s` know all of Unicode, `$` also matches
 * before a final newline, `(?P<name>...)`, `(?i)`, possessive and conditional parts work. Known difference: `\N{NAME}`
 * is refused.
 */
export class PythonRegex {
  private readonly program: Program;

  /** @throws PythonRegexError where Python's `re.compile` raises. */
  constructor(pattern: string) {
    this.program = programOf(parsePythonRegex(pattern));
  }

  /**
   * `re.search`: anywhere in the text.
   * @param budget is drawn on; `gave up` when it runs out, where Python would go on, perhaps for years.
   */
  search(text: string, budget: RegexBudget): 'found' | 'absent' | 'gave up' {
    const codes = Int32Array.from(text, (char) => char.codePointAt(0) ?? 0);
    try {
      return new Machine(this.program, codes, budget).search() ? 'found' : 'absent';
    } catch (error) {
      if (error instanceof OutOfSteps) return 'gave up';
      throw error;
    }
  }
}
