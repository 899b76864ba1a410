// Checks action.yml and workflows: `node --import ./scripts/json-hook.mjs scripts/check-workflows.mjs FILE...`
// GitHub's own language service finds wrong keys, expressions, and wrong or missing inputs; the rest are house rules:
// actions pinned by a full SHA, permissions named and small, a time limit for every job, no expressions inside scripts.
// Prints a line for each fault and ends with status 1 when there are any.
import { readFileSync } from 'node:fs';
import { validate } from '@actions/languageservice';
import { validateAction } from '@actions/languageservice/validate-action';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isMap, isScalar, isSeq, LineCounter, parse, parseDocument } from 'yaml';

const OUR_ACTION = 'vendor-gate/vendor-gate';
const ours = parse(readFileSync('action.yml', 'utf8'));

/** Inputs of other people's actions that our workflows and examples use; any other input counts as unknown. */
const THEIR_INPUTS = {
  'actions/checkout': ['fetch-depth', 'persist-credentials', 'ref'],
  'actions/download-artifact': ['name', 'path', 'pattern'],
  'actions/setup-node': ['cache', 'node-version'],
  'actions/upload-artifact': ['if-no-files-found', 'name', 'path', 'retention-days'],
};

/** Write permissions that a workflow of this repository may have, by file name; every other one is a fault. */
const MAY_WRITE = {
  'release.yml': ['contents'],
  'pull-request.yml': ['pull-requests'],
  'sharded.yml': ['pull-requests'],
};
/** Inputs without which our action does not run, unless a config file has them or it only merges. */
const NEEDED = ['endpoint', 'model', 'datasets'];

const actionsMetadataProvider = {
  async fetchActionMetadata({ owner, name }) {
    if (`${owner}/${name}` === OUR_ACTION) return ours;
    const inputs = THEIR_INPUTS[`${owner}/${name}`];
    if (inputs === undefined) return undefined;
    return {
      name,
      description: '',
      inputs: Object.fromEntries(inputs.map((key) => [key, { description: '' }])),
    };
  },
};

let faults = 0;
for (const [index, file] of process.argv.slice(2).entries()) {
  const text = readFileSync(file, 'utf8');
  const isAction = /(^|\/)action\.ya?ml$/.test(file);
  // The service keeps what it knows of a document by its URI.
  const uri = isAction ? `file:///${index}/action.yml` : `file:///.github/workflows/${index}.yml`;
  const document = TextDocument.create(uri, 'yaml', 1, text);
  const check = isAction ? validateAction : validate;
  for (const { range, message } of await check(document, { actionsMetadataProvider })) {
    fault(file, range.start.line + 1, message);
  }
  if (!isAction) houseRules(file, text);
}
process.exitCode = faults > 0 ? 1 : 0;

function fault(file, line, message) {
  faults++;
  console.log(`${file}:${line} ${message}`);
}

function houseRules(file, text) {
  const lines = new LineCounter();
  const workflow = parseDocument(text, { lineCounter: lines });
  const at = (node) => (node?.range ? lines.linePos(node.range[0]).line : 1);
  const isExample = !file.includes('.github/');
  checkPermissions(file, workflow.get('permissions', true), at, true);
  for (const { key, value: job } of mapItems(workflow.get('jobs', true))) {
    checkPermissions(file, job.get('permissions', true), at, false);
    if (!job.has('timeout-minutes'))
      fault(file, at(key), `job ${key.value} has no timeout-minutes`);
    const steps = job.get('steps', true);
    for (const step of isSeq(steps) ? steps.items : []) {
      const run = step.get('run', true);
      if (String(run ?? '').includes('${{')) {
        fault(file, at(run), 'an expression inside a script; hand it over in env');
      }
      checkUses(file, step, at, isExample);
    }
  }
}

function checkUses(file, step, at, isExample) {
  const uses = step.get('uses', true);
  if (!isScalar(uses)) return;
  const given = mapItems(step.get('with', true));
  const has = (name) => given.some(({ key }) => key.value === name);
  const merges = given.some(({ key, value }) => key.value === 'mode' && value?.value === 'merge');
  if (uses.value === './' || uses.value.startsWith(`${OUR_ACTION}@`)) {
    const needed = merges ? ['merge-dirs'] : has('config') ? [] : NEEDED;
    for (const name of needed.filter((each) => !has(each))) {
      fault(file, at(uses), `the required input ${name} is missing`);
    }
  }
  if (uses.value === './') {
    for (const { key } of given) {
      if (!(key.value in ours.inputs))
        fault(file, at(key), `this action has no input ${key.value}`);
    }
  } else if (!isExample && !/@[0-9a-f]{40}$/.test(uses.value)) {
    fault(file, at(uses), `${uses.value} is not pinned by a full SHA`);
  }
}

function checkPermissions(file, node, at, isTop) {
  if (node === undefined) {
    if (isTop) fault(file, 1, 'the workflow names no permissions');
    return;
  }
  if (!isMap(node)) {
    fault(file, at(node), 'permissions must be named one by one');
    return;
  }
  const mayWrite = MAY_WRITE[file.split('/').at(-1)] ?? [];
  for (const { key, value } of mapItems(node)) {
    if (value.value === 'write' && !mayWrite.includes(key.value)) {
      fault(file, at(key), `the workflow may not write ${key.value}`);
    }
  }
}

function mapItems(node) {
  return isMap(node) ? node.items : [];
}
