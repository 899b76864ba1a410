/** One of the 125 tasks, with what BrowserGym's list says of it. */
export interface Task {
  /** `miniwob.click-test` */
  readonly name: string;
  /** Name of its page without `.html`: `click-test`. */
  readonly page: string;
  readonly category: Category;
  /** The page animates its changes, or holds them back. */
  readonly delay: boolean;
  /** In the subset that the WebGUM paper used. */
  readonly webgum: boolean;
  /** Tasks with the same number are variants of one another. */
  readonly similarityGroup: number;
  /** The half of BrowserGym's split that it is in. */
  readonly split: Split;
}

export const CATEGORIES = ['original', 'hidden test', 'debug', 'additional', 'nodelay'] as const;
export type Category = (typeof CATEGORIES)[number];

export const SPLITS = ['train', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/**
 * Page, category, 'delay' or nothing, WebGUM, similarity group, split: the facts of `miniwob.csv` of BrowserGym 0.14.3
 * in the order of that file, on which the seeds depend.
 */
const ROWS = `\
ascending-numbers,hidden test,,False,0,test
bisect-angle,original,,False,1,test
book-flight,original,delay,True,2,train
book-flight-nodelay,nodelay,,False,2,train
buy-ticket,hidden test,,False,3,train
choose-date,original,delay,True,4,train
choose-date-easy,debug,delay,True,4,train
choose-date-medium,debug,delay,True,4,train
choose-date-nodelay,nodelay,,False,4,train
choose-list,original,,True,5,test
circle-center,original,,False,6,train
click-button,original,,True,7,test
click-button-sequence,original,,True,8,test
click-checkboxes,original,,True,9,train
click-checkboxes-large,additional,,True,9,train
click-checkboxes-soft,additional,,True,9,train
click-checkboxes-transfer,additional,,True,9,train
click-collapsible,original,delay,True,10,train
click-collapsible-2,original,delay,True,10,train
click-collapsible-2-nodelay,nodelay,,False,10,train
click-collapsible-nodelay,nodelay,,False,10,train
click-color,original,,True,11,test
click-dialog,original,,True,12,train
click-dialog-2,original,,True,12,train
click-link,original,,True,13,test
click-menu,original,,True,14,test
click-menu-2,original,,False,14,test
click-option,original,,True,15,train
click-pie,original,delay,True,16,test
click-pie-nodelay,nodelay,,False,16,test
click-scroll-list,original,,True,17,test
click-shades,original,,True,18,train
click-shape,original,,True,19,test
click-tab,original,,True,20,test
click-tab-2,original,,True,21,test
click-tab-2-easy,debug,,False,21,test
click-tab-2-hard,additional,,True,21,test
click-tab-2-medium,debug,,False,21,test
click-test,original,,True,22,test
click-test-2,original,,True,23,train
click-test-transfer,debug,,False,23,train
click-widget,original,,True,24,test
copy-paste,original,,False,25,test
copy-paste-2,original,,False,25,test
count-shape,original,,True,26,train
count-sides,original,,False,27,test
daily-calendar,hidden test,,False,28,train
drag-box,original,,False,29,train
drag-circle,original,,False,30,test
drag-cube,original,,False,31,test
drag-items,original,,False,32,train
drag-items-grid,original,,False,33,test
drag-shapes,original,,False,29,train
drag-shapes-2,hidden test,,False,29,train
drag-single-shape,hidden test,,False,34,train
drag-sort-numbers,original,,False,32,train
draw-circle,hidden test,,False,35,train
draw-line,hidden test,,False,36,train
email-inbox,original,,True,37,test
email-inbox-delete,debug,,False,37,test
email-inbox-forward,debug,,False,37,test
email-inbox-forward-nl,additional,,True,37,test
email-inbox-forward-nl-turk,additional,,True,37,test
email-inbox-important,debug,,False,37,test
email-inbox-nl-turk,additional,,True,37,test
email-inbox-noscroll,debug,,False,37,test
email-inbox-reply,debug,,False,37,test
email-inbox-star-reply,debug,,False,37,test
enter-date,original,,True,38,train
enter-password,original,,True,38,train
enter-text,original,,True,38,train
enter-text-2,original,,False,38,train
enter-text-dynamic,original,,True,38,train
enter-time,original,,True,38,train
find-greatest,hidden test,,False,39,test
find-midpoint,original,,False,40,train
find-word,original,,False,41,test
focus-text,original,,True,42,train
focus-text-2,original,,True,42,train
form-sequence,hidden test,,False,43,train
form-sequence-2,hidden test,,False,44,test
form-sequence-3,hidden test,,False,45,test
generate-number,hidden test,,False,46,test
grid-coordinate,original,,True,47,test
guess-number,original,,True,48,test
highlight-text,original,,False,49,test
highlight-text-2,original,,False,49,test
hot-cold,hidden test,,False,50,test
identify-shape,original,,True,51,train
login-user,original,,True,52,train
login-user-popup,additional,,True,52,train
multi-layouts,additional,,True,53,train
multi-orderings,additional,,True,53,train
navigate-tree,original,,True,54,train
number-checkboxes,original,,False,55,test
odd-or-even,hidden test,,False,56,train
order-food,hidden test,,False,57,test
phone-book,hidden test,,False,58,test
read-table,original,,False,59,train
read-table-2,original,,False,59,train
resize-textarea,original,,False,60,test
right-angle,original,,False,61,test
scroll-text,original,,False,62,test
scroll-text-2,original,,False,62,test
search-engine,original,,True,63,train
sign-agreement,hidden test,,False,64,test
simple-algebra,original,,False,65,test
simple-arithmetic,original,,False,65,test
social-media,original,,True,66,test
social-media-all,additional,,True,66,test
social-media-some,additional,,True,66,test
stock-market,hidden test,delay,False,67,test
terminal,original,,False,68,test
text-editor,original,,False,69,train
text-transform,original,,False,70,train
tic-tac-toe,original,,True,71,test
unicode-test,debug,,False,72,train
use-autocomplete,original,delay,True,73,train
use-autocomplete-nodelay,nodelay,,False,73,train
use-colorwheel,original,,False,74,train
use-colorwheel-2,original,,False,74,train
use-slider,original,,False,75,train
use-slider-2,original,,False,75,train
use-spinner,original,,True,76,test
visual-addition,original,,False,77,train
`;

function readTask(row: string): Task {
  const [page = '', category, comment, webgum, group, split] = row.split(',');
  return {
    name: `miniwob.${page}`,
    page,
    category: category as Category,
    delay: comment === 'delay',
    webgum: webgum === 'True',
    similarityGroup: Number(group),
    split: split as Split,
  };
}

/** All tasks in file order. */
export const TASKS: readonly Task[] = ROWS.trimEnd().split('\n').map(readTask);
