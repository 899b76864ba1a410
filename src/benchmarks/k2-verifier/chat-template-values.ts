import { type JsonNode, parseJsonText } from '../../text/json-text.js';
import { isPythonFloat, pythonFloat } from '../../text/python-json.js';

/**
 * JSON texts as values for a template, so that its `tojson` writes them as Python would: keys in the order of the text
 * (JavaScript moves integer-like ones to the front) and numbers in Python's form (1.0 and integers of any size).
 *
 * A number that JavaScript would write in another form goes through the template as a text, a marker, and `restore`
 * puts the number in its place. A template that calculates with such a number fails; none is known to.
 */
export class TemplateValues {
  readonly #marker: string;
  readonly #numbers: string[] = [];

  /** @param texts everything that is rendered together; the marker is in none of it. */
  constructor(texts: readonly string[]) {
    let nth = 0;
    while (texts.some((text) => text.includes(`number${nth}n`))) nth += 1;
    this.#marker = `number${nth}n`;
  }

  /** @throws JsonTextError */
  of(text: string): unknown {
    return this.#valueOf(parseJsonText(text));
  }

  /** The rendered text with the numbers in their places. */
  restore(rendered: string): string {
    if (this.#numbers.length === 0) return rendered;
    // The control character tells how it was written: as the text itself, or by tojson, which put quotes around it.
    const marked = new RegExp(`"${this.#marker}(\\d+)\\\\u0001"|${this.#marker}(\\d+)\\u0001`, 'g');
    return rendered.replace(
      marked,
      (match, quoted?: string, bare?: string) =>
        this.#numbers[Number(quoted ?? bare ?? '')] ?? match,
    );
  }

  #valueOf(node: JsonNode): unknown {
    switch (node.type) {
      case 'object':
        // As in a Python dict, a key that comes twice keeps its first place and its last value.
        return inOrder(new Map(node.members.map(({ key, value }) => [key, this.#valueOf(value)])));
      case 'array':
        return node.items.map((item) => this.#valueOf(item));
      case 'number':
        return this.#number(node.raw);
      default:
        return node.value;
    }
  }

  #number(raw: string): unknown {
    const value = Number(raw);
    const written = isPythonFloat(raw) ? pythonFloat(value) : raw === '-0' ? '0' : raw;
    if (written === JSON.stringify(value)) return value;
    this.#numbers.push(written);
    return `${this.#marker}${this.#numbers.length - 1}\u0001`;
  }
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** An object whose keys are listed in the order of the map, also those that JavaScript would put first. */
function inOrder(members: ReadonlyMap<string, unknown>): object {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of members) object[key] = value;
  const keys = [...members.keys()];
  return keys.some((key) => INDEX.test(key)) ? new Proxy(object, { ownKeys: () => keys }) : object;
}
