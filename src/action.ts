import { BENCHMARKS } from './benchmarks/index.js';
import { actionValues } from './config/environment.js';
import { type ParsedConfig, parseConfig, secretsOf } from './config/parse.js';
import { readConfigFile } from './config-file.js';
import { systemClock } from './engine/clock.js';
import { lineProgress } from './engine/progress.js';
import { actionsCache } from './github/actions-cache.js';
import { openGitHub } from './github/client.js';
import { publishComment } from './github/comment.js';
import { type EventContext, readEvent } from './github/event.js';
import { findPullRequest } from './github/pull-request.js';
import * as workflow from './github/workflow.js';
import { findReports, mergeRuns } from './merge-runs.js';
import type { ActionConfig, Config } from './model/config.js';
import { ConfigError } from './model/errors.js';
import type { Verdict } from './model/gate.js';
import type { RunReport } from './model/report.js';
import { annotationsOf } from './report/annotations.js';
import { renderComment } from './report/comment.js';
import { COMMENT_BYTES, SUMMARY_BYTES } from './report/fit.js';
import type { Links } from './report/links.js';
import { outputsOf } from './report/outputs.js';
import { problemLine, renderProblems } from './report/problems.js';
import { toPlain } from './report/prose.js';
import { isFailing } from './report/shape.js';
import { renderSkipped, type Skipped, skippedSentence } from './report/skipped.js';
import { renderSummary } from './report/summary.js';
import { wordsOf } from './report/words.js';
import { untrusted } from './text/untrusted.js';
import { type Verified, verify } from './verify.js';
import { VERSION } from './version.js';
import { realWorld } from './world.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The GitHub Action: inputs, event, run, then everything that is published, and only then the job's own result.
 * @param env the runner's environment
 * @param signal aborted when the workflow is cancelled; the partial report is still written
 */
export async function runAction(env: Env, signal: AbortSignal): Promise<void> {
  const event = await readEventContext(env);
  const parsed = await readConfiguration(env, event);
  if (parsed === null) return;
  const links = linksOf(event, parsed, env);

  let verified: Verified;
  try {
    const skipped = skippedBecause(parsed, event);
    if (skipped !== null) return await publishSkipped(skipped, parsed.action.summary, env, links);
    verified =
      parsed.action.mode === 'merge'
        ? await mergeRuns(parsed.action.mergeDirs, parsed.config.outputDir, {
            benchmarks: BENCHMARKS,
            links,
            log: logText,
          })
        : await measure(parsed.config, env, links, signal);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return await publishProblems(error, parsed.action.summary, env);
  }
  await publish(verified, parsed, event, env, { ...links, report: verified.reportPath }, signal);
  endJob(verified.report, parsed.config.failOn);
}

function measure(config: Config, env: Env, links: Links, signal: AbortSignal): Promise<Verified> {
  return workflow.group('Measuring', () =>
    verify(
      config,
      realWorld({
        env,
        signal,
        links,
        // Two steps of one job are two runs, attempts of one step are one.
        runKey: `github-${env['GITHUB_RUN_ID'] ?? 'unknown'}-${config.reportId}`,
        progress: lineProgress((text) => workflow.log(text.trimEnd())),
        remoteCache: actionsCache(env, logText),
        log: logText,
      }),
    ),
  );
}

function logText(text: string): void {
  workflow.logVendorText(untrusted(text));
}

async function readConfiguration(env: Env, event: EventContext): Promise<ParsedConfig | null> {
  const values = actionValues(env);
  workflow.maskSecrets([values['api-key'] ?? '', values['github-token'] ?? '']);
  try {
    const parsed = parseConfig(
      { values, configFile: readConfigFile(values['config']), sets: [], surface: 'action' },
      BENCHMARKS.map(({ spec }) => spec),
    );
    workflow.maskSecrets(secretsOf(parsed.config, parsed.action));
    for (const notice of parsed.notices) workflow.notice(notice);
    return parsed;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const summary = values['summary'] !== 'false';
    // Without secrets the endpoint may be empty as well as the key; that is the same missing secret.
    const skips = !values['api-key'] && values['on-missing-secret'] === 'skip';
    if (event.restricted !== null && skips && values['mode'] !== 'merge') {
      const [endpoint = '', model = ''] = [values['endpoint'], values['model']];
      const links = { run: event.runUrl, report: null, docs: docsOf(event.serverUrl, env) };
      await publishSkipped({ cause: event.restricted, endpoint, model }, summary, env, links);
    } else {
      await publishProblems(error, summary, env);
    }
    return null;
  }
}

async function readEventContext(env: Env): Promise<EventContext> {
  const { payload, problem } = await workflow.readPayload(env);
  if (problem !== null) workflow.notice(`${problem} The run goes on without a pull request.`);
  const event = readEvent(env['GITHUB_EVENT_NAME'] ?? '', payload, env);
  if (event.danger !== null) workflow.notice(event.danger);
  return event;
}

function linksOf(event: EventContext, { config }: ParsedConfig, env: Env): Links {
  return {
    run: event.runUrl,
    report: `${config.outputDir}/report.json`,
    docs: docsOf(event.serverUrl, env),
  };
}

/** The documentation of the very version that runs; an action from a path in the same repository has none. */
function docsOf(serverUrl: string, env: Env): string | null {
  const repository = env['GITHUB_ACTION_REPOSITORY'] ?? '';
  const ref = env['GITHUB_ACTION_REF'] ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[\w./-]+$/.test(ref)) return null;
  return `${serverUrl}/${repository}/blob/${ref}/docs`;
}

/**
 * GitHub gave no secrets to this event, and the endpoint was not declared to be without keys. A merge needs no key, but
 * has nothing to merge where the shards were skipped.
 */
function skippedBecause(
  { config, action, keyless }: ParsedConfig,
  event: EventContext,
): Skipped | null {
  if (config.apiKey !== null || keyless || event.restricted === null) return null;
  if (action.mode === 'merge') {
    const nothing = action.mergeDirs.every((dir) => findReports(dir).length === 0);
    if (!nothing || action.onMissingSecret !== 'skip') return null;
  }
  const skipped: Skipped = {
    cause: event.restricted,
    endpoint: config.endpoint,
    model: config.request.model,
  };
  if (action.onMissingSecret === 'skip') return skipped;
  throw new ConfigError([
    {
      where: 'api-key',
      what: skippedSentence(skipped).replace(/^Skipped: /, 'It is empty: '),
      fix: 'Set `on-missing-secret: skip` to let such runs pass as neutral, or judge the change from a branch of this repository.',
    },
  ]);
}

async function publishSkipped(
  skipped: Skipped,
  summary: boolean,
  env: Env,
  links: Links,
): Promise<void> {
  workflow.notice(skippedSentence(skipped));
  if (summary) await writeSummary(renderSkipped(skipped, { marker: null, links }), env);
  setOutputs({ verdict: 'skipped' });
}

async function publishProblems(error: ConfigError, summary: boolean, env: Env): Promise<void> {
  const [first, ...others] = error.problems.map(problemLine);
  workflow.annotate(
    others.map((message) => ({ level: 'error', title: 'Vendor Gate: configuration', message })),
  );
  if (summary) await writeSummary(renderProblems(error.problems), env);
  setOutputs({ verdict: 'error' });
  workflow.fail(first ?? 'The configuration cannot be used.');
}

async function publish(
  { report, written, reportPath, summaryPath }: Verified,
  { config, action }: ParsedConfig,
  event: EventContext,
  env: Env,
  links: Links,
  signal: AbortSignal,
): Promise<void> {
  if (action.summary) {
    await writeSummary(renderSummary(report, { maxBytes: SUMMARY_BYTES, links }), env);
  }
  if (!written) {
    workflow.warn({
      message: `The report could not be written to ${config.outputDir}.`,
      fix: 'Free space on the runner, or name another output-dir.',
    });
  }
  if (action.annotations) workflow.annotate(annotationsOf(report));
  if (report.shard !== null) {
    const { index, of } = report.shard;
    workflow.log(`This is shard ${index} of ${of}: the comment is left to merge.`);
  }
  // A cancelled job has seconds left: the summary is out, the comment stays as it was.
  const commentId =
    signal.aborted || report.shard !== null
      ? null
      : await comment(report, action, event, env, links, signal);
  setOutputs({
    ...outputsOf(report),
    'report-path': written ? reportPath : '',
    'summary-path': written ? summaryPath : '',
    'comment-id': commentId === null ? '' : String(commentId),
  });
}

/** @returns the id of the comment that stands on the pull request; whatever goes wrong is a warning. */
async function comment(
  report: RunReport,
  action: ActionConfig,
  event: EventContext,
  env: Env,
  links: Links,
  signal: AbortSignal,
): Promise<number | null> {
  const mayHavePull = event.pullRequest !== null || event.lookUp;
  if (action.comment === 'never' || event.repository === null || !mayHavePull) return null;
  const github = await openGitHub({
    token: action.githubToken,
    apiUrl: env['GITHUB_API_URL'] ?? null,
    userAgent: `vendor-gate/${VERSION}`,
    clock: systemClock,
    restricted: event.restricted,
    signal,
  });
  if (github.kind === 'failed') return warned(github);
  const found = await findPullRequest(github.value, event);
  if (found.kind === 'failed') return warned(found);
  const { repository, pullRequest, runId, attempt, headSha } = found.value;
  if (repository === null || pullRequest === null) return null;
  const published = await publishComment(github.value, {
    repository,
    pullRequest,
    marker: {
      reportId: report.report_id,
      runId,
      attempt,
      headSha,
      verdict: report.verdict,
      failedGates: JSON.parse(outputsOf(report)['failed-gates']) as string[],
    },
    when: action.comment,
    mode: action.commentMode,
    failing: report.verdict !== 'pass',
    body: (marker) => renderComment(report, { maxBytes: COMMENT_BYTES, marker, links }),
  });
  if (published.kind === 'failed') return warned(published);
  for (const warning of published.value.warnings) workflow.warn(warning);
  workflow.log(`Pull-request comment: ${published.value.did}.`);
  return published.value.commentId;
}

function warned(failure: { readonly message: string; readonly fix: string }): null {
  workflow.warn(failure);
  return null;
}

async function writeSummary(markdown: string, env: Env): Promise<void> {
  const written = await workflow.writeSummary(markdown, env);
  if (written.kind === 'absent') workflow.notice(written.message);
  if (written.kind === 'failed') workflow.warn(written);
}

function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const problem of workflow.setOutputs(outputs)) {
    workflow.warn({ message: problem, fix: '' });
  }
}

function endJob(report: RunReport, failOn: readonly Verdict[]): void {
  const headline = `Vendor Gate: ${report.verdict} – ${toPlain(wordsOf(report).headline)}`;
  if (isFailing(report, failOn)) workflow.fail(headline);
  else workflow.log(headline);
}
