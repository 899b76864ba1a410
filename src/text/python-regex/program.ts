import type { CharTest } from './characters.js';
import type { ParsedRegex } from './parse.js';
import type { Place, RegexNode } from './tree.js';

/**
 * One step of the matching machine. Addresses are indices into the program. A register holds a number that going back
 * restores: 2g and 2g+1 are start and end of group g, the others belong to loops.
 */
export type Instruction =
  | { readonly op: 'one'; readonly test: CharTest }
  /** A run of one-character matches, without a step of the machine for each. */
  | {
      readonly op: 'run';
      readonly test: CharTest;
      readonly min: number;
      readonly max: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'save'; readonly register: number }
  | { readonly op: 'at'; readonly where: Place }
  | { readonly op: 'boundary'; readonly negate: boolean; readonly word: CharTest }
  | { readonly op: 'reference'; readonly group: number; readonly caseless: boolean }
  /** Runs the part that follows, up to its `end`, on its own; then goes on at `next`. */
  | {
      readonly op: 'apart';
      readonly kind: 'look' | 'not' | 'atomic';
      readonly back: number;
      readonly next: number;
    }
  | { readonly op: 'end' }
  | { readonly op: 'condition'; readonly group: number; readonly no: number }
  /** Two registers: turns made, and the position at the start of the last turn. */
  | { readonly op: 'enter'; readonly register: number }
  | {
      readonly op: 'loop';
      readonly register: number;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: number;
      readonly exit: number;
    };

export interface Program {
  readonly code: readonly Instruction[];
  readonly registers: number;
  /** A match can only start where the text starts. */
  readonly anchored: boolean;
}

class Writer {
  readonly code: Instruction[] = [];
  registers: number;
  constructor(groups: number) {
    this.registers = 2 * (groups + 1);
  }

  /** Leaves room for an instruction whose addresses are not known yet. */
  private later(): (instruction: Instruction) => void {
    const index = this.code.push({ op: 'end' }) - 1;
    return (instruction) => {
      this.code[index] = instruction;
    };
  }

  write(node: RegexNode): void {
    switch (node.type) {
      case 'one':
        this.code.push({ op: 'one', test: node.test });
        return;
      case 'sequence':
        for (const item of node.items) this.write(item);
        return;
      case 'choice':
        this.choice(node.items);
        return;
      case 'repeat':
        this.repeat(node);
        return;
      case 'group':
        if (node.capture !== null) this.code.push({ op: 'save', register: 2 * node.capture });
        this.write(node.body);
        if (node.capture !== null) this.code.push({ op: 'save', register: 2 * node.capture + 1 });
        return;
      case 'atomic':
        this.apart('atomic', 0, () => this.write(node.body));
        return;
      case 'look':
        this.apart(node.negate ? 'not' : 'look', node.back ?? 0, () => this.write(node.body));
        return;
      case 'at':
        this.code.push({ op: 'at', where: node.where });
        return;
      case 'boundary':
        this.code.push({ op: 'boundary', negate: node.negate, word: node.word });
        return;
      case 'reference':
        this.code.push({ op: 'reference', group: node.group, caseless: node.caseless });
        return;
      case 'condition': {
        const condition = this.later();
        this.write(node.yes);
        const over = this.later();
        condition({ op: 'condition', group: node.group, no: this.code.length });
        this.write(node.no);
        over({ op: 'jump', to: this.code.length });
      }
    }
  }

  private choice(items: readonly RegexNode[]): void {
    const ends: ((instruction: Instruction) => void)[] = [];
    for (const [i, item] of items.entries()) {
      if (i === items.length - 1) {
        this.write(item);
        break;
      }
      const split = this.later();
      const first = this.code.length;
      this.write(item);
      ends.push(this.later());
      split({ op: 'split', first, second: this.code.length });
    }
    for (const end of ends) end({ op: 'jump', to: this.code.length });
  }

  private apart(kind: 'look' | 'not' | 'atomic', back: number, body: () => void): void {
    const apart = this.later();
    body();
    this.code.push({ op: 'end' });
    apart({ op: 'apart', kind, back, next: this.code.length });
  }

  private repeat(node: RegexNode & { type: 'repeat' }): void {
    const { body, min, max, mode } = node;
    if (body.type === 'one') {
      this.code.push({ op: 'run', test: body.test, min, max, mode });
      return;
    }
    if (mode === 'possessive') {
      this.apart('atomic', 0, () => this.loop(body, min, max, false));
    } else {
      this.loop(body, min, max, mode === 'lazy');
    }
  }

  private loop(body: RegexNode, min: number, max: number, lazy: boolean): void {
    const register = this.registers;
    this.registers += 2;
    this.code.push({ op: 'enter', register });
    const at = this.code.length;
    const loop = this.later();
    this.write(body);
    this.code.push({ op: 'jump', to: at });
    loop({ op: 'loop', register, min, max, lazy, body: at + 1, exit: this.code.length });
  }
}

/** Turns a parsed pattern into the machine's program. */
export function programOf(parsed: ParsedRegex): Program {
  const writer = new Writer(parsed.groups);
  writer.write(parsed.root);
  writer.code.push({ op: 'end' });
  const [first] = writer.code;
  const anchored = first?.op === 'at' && first.where === 'start';
  return { code: writer.code, registers: writer.registers, anchored };
}
