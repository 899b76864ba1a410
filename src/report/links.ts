import { code, toMarkdown } from './prose.js';

/** Where the rest can be found. Addresses are made by us from GitHub's own variables, the path comes from the user. */
export interface Links {
  /** Page of the workflow run, with the job summary on it. */
  readonly run: string | null;
  /** report.json in the output directory, or the artifact that holds it. */
  readonly report: string | null;
  /** Folder of the documentation: `https://github.com/OWNER/REPO/blob/v1/docs`. */
  readonly docs: string | null;
}

export const NO_LINKS: Links = { run: null, report: null, docs: null };

/** A Markdown link, or the words alone where there is no address to be trusted. */
export function link(words: string, url: string | null): string {
  if (url === null || !/^https?:\/\/[^\s<>"'`\\]+$/.test(url)) return words;
  return `[${words}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** '`vendor-gate-output/report.json`', or 'the report' where the path is not known. */
export function reportPlace(links: Links): string {
  return links.report === null ? 'report.json' : toMarkdown([code(links.report, 200)]);
}
