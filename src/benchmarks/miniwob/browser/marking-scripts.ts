import type { ElementFacts } from '../normalise-ax-tree.js';

/**
 * Functions that run inside a frame, in a world of our own that shares the frame's elements but none of its variables:
 * sent as their source text, so they may use nothing from outside themselves.
 */

/** What our world keeps in a frame until the frame goes to another document. */
interface MarkingWorld {
  /** Next number, never used again; absent before the first visit. */
  vendorGateNextId?: number;
  /** How many frame elements have a name. */
  vendorGateFrames?: number;
}

export interface MarkedFrame {
  /** By bid, of those elements that have any of the facts. */
  readonly facts: readonly (readonly [string, ElementFacts])[];
}

/**
 * Gives every element of the frame a bid and writes it where the accessibility tree shows it
 * (`aria-roledescription`, `aria-description`), as BrowserGym's marking does: same order, same numbers. Values and
 * check marks are written into their attributes.
 * @param prefix bid of the frame's own element; empty for the main frame
 * @param htmlTags names of the elements that get a bid, separated by spaces
 */
export function markFrame(prefix: string, htmlTags: string): MarkedFrame {
  const world = window as unknown as MarkingWorld;
  const tags = new Set(htmlTags.split(' '));
  const firstVisit = world.vendorGateNextId === undefined;
  let nextId = world.vendorGateNextId ?? 0;
  let frames = world.vendorGateFrames ?? 0;
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  // a ... z, aA ... zZ, aAA ...
  const frameName = (index: number): string => {
    let rest = index;
    let length = 1;
    for (let count = 26; rest >= count; count *= 26) {
      rest -= count;
      length += 1;
    }
    let name = '';
    for (let place = 0; place < length; place += 1) {
      const letter = letters.charAt(rest % 26);
      name = (place === length - 1 ? letter : letter.toUpperCase()) + name;
      rest = Math.floor(rest / 26);
    }
    return name;
  };
  const met = new Set<string>();
  const facts: [string, ElementFacts][] = [];
  // Grows while it is walked: what is in an element's shadow comes right after the element.
  const elements: Element[] = [...document.querySelectorAll('*')];
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at] as Element & { value?: unknown; checked?: unknown };
    if (element.shadowRoot !== null) {
      elements.splice(at + 1, 0, ...element.shadowRoot.querySelectorAll('*'));
    }
    const tag = element.tagName.toLowerCase();
    if (!tags.has(tag)) continue;
    if (element.value !== undefined) element.setAttribute('value', String(element.value));
    if (element.checked !== undefined) element.toggleAttribute('checked', Boolean(element.checked));
    let bid = element.getAttribute('bid');
    if (bid !== null && firstVisit) throw new Error(`the page gives an element the bid "${bid}"`);
    if (bid === null || met.has(bid)) {
      const isFrame = tag === 'iframe' || tag === 'frame';
      bid = prefix + (isFrame ? frameName(frames++) : String(nextId++));
      element.setAttribute('bid', bid);
      // Of use to nobody here; but in BrowserGym a page's own scripts meet them too.
      element.setAttribute('browsergym_visibility_ratio', '0');
      element.setAttribute('browsergym_set_of_marks', '0');
    }
    met.add(bid);
    const known: ElementFacts = {
      valueText: element.getAttribute('aria-valuetext'),
      controls: element.getAttribute('aria-controls'),
      label: element.getAttribute('aria-label'),
      title: element.getAttribute('title'),
    };
    if (Object.values(known).some((fact) => fact !== null)) facts.push([bid, known]);
    for (const name of ['aria-roledescription', 'aria-description']) {
      const own = element.getAttribute(name) ?? '';
      element.setAttribute(name, `browsergym_id_${bid} ${own}`);
    }
  }
  world.vendorGateNextId = nextId;
  world.vendorGateFrames = frames;
  return { facts };
}

/** Takes the bids out of the ARIA attributes again; the elements keep their bids. */
export function unmarkFrame(): void {
  const elements: Element[] = [...document.querySelectorAll('*')];
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at] as Element;
    if (element.shadowRoot !== null) {
      elements.splice(at + 1, 0, ...element.shadowRoot.querySelectorAll('*'));
    }
    for (const name of ['aria-roledescription', 'aria-description']) {
      const marked = element.getAttribute(name);
      if (marked === null || !marked.startsWith('browsergym_id_')) continue;
      const own = marked.slice(marked.search(/\s|$/) + 1);
      if (own === '') element.removeAttribute(name);
      else element.setAttribute(name, own);
    }
  }
}

/** Of a frame's element: its bid, and whether scripts may run inside. `this` is the element. */
export function frameElementFacts(this: Element): { bid: string | null; scripts: boolean } {
  const sandbox = this.getAttribute('sandbox');
  return {
    bid: this.getAttribute('bid'),
    scripts: sandbox === null || sandbox.split(/\s+/).includes('allow-scripts'),
  };
}
