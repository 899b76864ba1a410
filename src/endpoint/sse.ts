/** One event of a stream: its type, empty when none was named, and the values of its data lines. */
export interface ServerEvent {
  readonly type: string;
  readonly lines: readonly string[];
}

/**
 * Server-sent events, parsed as the text arrives (WHATWG HTML, section 9.2.6). Lines end in LF, CRLF or CR, also
 * mixed and split between chunks. Two leniences: the space after the colon may be missing, and an event that the
 * end of the stream leaves without its blank line is given out all the same (servers do end that way).
 *
 * A line that arrives in many pieces is searched for its end only in the new piece, so the cost stays linear.
 */
export class SseParser {
  private pending = '';
  private afterCr = false;
  private type = '';
  private lines: string[] = [];
  private readonly emit: (event: ServerEvent) => void;

  /** `emit` is called for every event that has at least one data line, or a type. */
  constructor(emit: (event: ServerEvent) => void) {
    this.emit = emit;
  }

  push(text: string): void {
    if (text === '') return;
    let from = this.afterCr && text.startsWith('\n') ? 1 : 0;
    this.afterCr = false;
    let cr = text.indexOf('\r', from);
    let lf = text.indexOf('\n', from);
    for (;;) {
      // Each is looked for again only once it is passed; a piece of mere CRs would otherwise cost quadratic time.
      if (cr !== -1 && cr < from) cr = text.indexOf('\r', from);
      if (lf !== -1 && lf < from) lf = text.indexOf('\n', from);
      if (lf === -1 && cr === -1) break;
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      this.line(this.pending + text.slice(from, end));
      this.pending = '';
      from = end + 1;
      if (end === cr) {
        if (from === text.length) this.afterCr = true;
        else if (text.startsWith('\n', from)) from += 1;
      }
    }
    this.pending += text.slice(from);
  }

  /** The stream is over: gives out what stands without its line or event end. */
  end(): void {
    if (this.pending !== '') this.line(this.pending);
    this.pending = '';
    this.dispatch();
  }

  private line(line: string): void {
    if (line === '') {
      this.dispatch();
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment, such as ": OPENROUTER PROCESSING"
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.lines.push(value);
    else if (field === 'event') this.type = value.trim();
  }

  private dispatch(): void {
    if (this.lines.length === 0 && this.type === '') return;
    const event = { type: this.type, lines: this.lines };
    this.type = '';
    this.lines = [];
    this.emit(event);
  }
}
