// The layers of docs/architecture.md: imports only go downwards. Numbers are the layer's height.
const layers = [
  ['^src/(statistics|text)/'],
  ['^src/model/'],
  ['^src/(gates|report|config|diagnosis)/'],
  ['^src/(endpoint|datasets)/'],
  ['^src/benchmarks/'],
  ['^src/engine/'],
  ['^src/(verify|merge-runs)\\.ts$'],
  ['^src/(github|terminal)/', '^src/(action|cli|api|main|index|world|config-file)\\.ts$'],
];

const downwards = layers.slice(0, -1).map((paths, height) => ({
  name: `layer-${height}-imports-upwards`,
  severity: 'error',
  comment: 'A lower layer must not know a higher one.',
  from: { path: paths },
  to: { path: layers.slice(height + 1).flat() },
}));

module.exports = {
  forbidden: [
    ...downwards,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'octokit-only-in-github',
      severity: 'error',
      comment: 'Every GitHub call lives in one room.',
      from: { pathNot: '^src/github/' },
      to: { path: 'node_modules/(@actions/github|@octokit)' },
    },
    {
      name: 'pure-layers-do-no-io',
      severity: 'error',
      comment: 'Files, network and processes come in as parameters.',
      from: { path: ['^src/(statistics|text|model|gates|report|config|diagnosis)/'] },
      to: { path: '^(node:)?(fs|fs/promises|http|https|net|child_process|os|dns|tls)$' },
    },
    {
      name: 'scoring-does-no-io',
      severity: 'error',
      comment: 'Scores must be recomputable from observations alone.',
      from: {
        path: '^src/benchmarks/[^/]+/(score|detail|example|metrics|agreement.*|completions-answer|tool-calls.*|json-schema.*)\\.ts$',
      },
      to: {
        path: '^(node:)?(fs|fs/promises|http|https|net|child_process|os|dns|tls)$|^src/(endpoint/open|datasets/)',
      },
    },
    {
      name: 'simulator-stands-apart',
      severity: 'error',
      comment: 'Only the terminal starts the simulator; the product never depends on it.',
      from: { path: '^src/', pathNot: '^src/(simulator|terminal)/|^src/cli\\.ts$' },
      to: { path: '^src/simulator/' },
    },
    {
      name: 'no-test-code-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^__tests__/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
