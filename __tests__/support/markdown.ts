import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A fenced code block: its language and its text. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Every Markdown page that people read: those at the top, and those of the folders with pages. */
export function pages(): string[] {
  const inFolder = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.md'))
          .map((name) => (folder === '.' ? name : `${folder}/${name}`))
      : [];
  return ['.', 'docs', 'datasets', 'bench'].flatMap(inFolder);
}

/** The fenced blocks of a page and its text without them. */
export function partsOf(page: string): {
  readonly fences: readonly Fence[];
  readonly prose: string;
} {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { mark: string; language: string; lines: string[]; line: number } | null = null;
  for (const [index, line] of readFileSync(page, 'utf8').split('\n').entries()) {
    const [, mark = '', language = ''] = /^\s*(`{3,})\s*(\w*)/.exec(line) ?? [];
    if (open !== null) {
      if (mark.startsWith(open.mark) && language === '') {
        fences.push({ language: open.language, text: open.lines.join('\n'), line: open.line });
        open = null;
      } else open.lines.push(line);
    } else if (mark !== '') open = { mark, language, lines: [], line: index + 1 };
    else prose.push(line);
  }
  if (open !== null) throw new Error(`${page}:${open.line} a code block is not closed`);
  return { fences, prose: prose.join('\n') };
}

/** The anchors of a page's headings as GitHub makes them; a repeated one gets -1, -2 and so on. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of partsOf(page).prose.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Targets of links and images, code spans left out. */
export function linksOf(page: string): string[] {
  const prose = partsOf(page).prose.replace(/(`+)[\s\S]*?\1/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<img[^>]*\ssrc="([^"]+)"/g)].map(
    ([, link = '', image = '']) => link || image,
  );
}

/** The words of each command of shell blocks that starts this program, from the verb on. */
export function commandsOf(page: string): { readonly line: number; readonly words: string[] }[] {
  return partsOf(page)
    .fences.filter(({ language }) => language === 'sh')
    .flatMap(({ text, line }) =>
      text
        .replace(/\\\n\s*/g, ' ')
        .split('\n')
        .map((command) => /^(?:[A-Z_]+=\S* )*node dist\/index\.js\b(.*)$/.exec(command)?.[1])
        .filter((rest) => rest !== undefined)
        .map((rest) => ({ line, words: shellWords(rest) })),
    );
}

/** Words of a POSIX command up to a pipe, a redirection or the end; quotes taken off. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  for (const [token] of text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (/^(?:[|&;#]|\d?>)/.test(token)) break;
    words.push(token.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return words;
}

/** What a YAML block hands to this action: the `with:` of its steps, or the block itself as a config file. */
export function actionInputs(yaml: string): Record<string, unknown>[] {
  const block = parse(yaml) as Record<string, unknown> | Step[] | null;
  if (block === null) return [];
  if (Array.isArray(block)) return inputsOfSteps(block);
  const jobs = block['jobs'] as Record<string, { steps: Step[] }> | undefined;
  if (jobs !== undefined) return Object.values(jobs).flatMap(({ steps }) => inputsOfSteps(steps));
  return [block];
}

interface Step {
  readonly uses?: string;
  readonly with?: Record<string, unknown>;
}

function inputsOfSteps(steps: readonly Step[]): Record<string, unknown>[] {
  return steps
    .filter(({ uses }) => uses?.startsWith('vendor-gate/vendor-gate@'))
    .map((step) => step.with ?? {});
}
