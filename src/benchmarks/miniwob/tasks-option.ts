import { ConfigError } from '../../model/errors.js';
import { nearest } from '../../text/nearest.js';
import { tasksOf } from './pages.js';

/**
 * The full names of the tasks that the option `tasks` chooses, with or without `miniwob.` before them; null for all.
 * @throws ConfigError that names every unknown one
 */
export function chosenTasks(
  subset: string,
  names: readonly string[] | null,
): ReadonlySet<string> | null {
  if (names === null) return null;
  const known = new Map(tasksOf(subset).map(({ name, page }) => [page, name]));
  const pages = names.map((name) => name.replace(/^miniwob\./, ''));
  const unknown = pages.filter((page) => !known.has(page));
  if (unknown.length > 0) {
    throw new ConfigError(
      unknown.map((page) => {
        const near = nearest(page, [...known.keys()]);
        return {
          where: 'datasets.miniwob.tasks',
          what: `There is no task ${JSON.stringify(page)} in the subset ${subset}.`,
          fix: near === null ? 'docs/miniwob.md lists them.' : `Did you mean ${near}?`,
        };
      }),
    );
  }
  return new Set(pages.map((page) => known.get(page) ?? page));
}
