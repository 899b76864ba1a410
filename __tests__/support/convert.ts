import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type ConvertContext, toJsonLines } from '../../src/datasets/json-lines.js';
import { Scratch } from '../../src/datasets/scratch.js';
import { ConfigError, type Problem } from '../../src/model/errors.js';
import { tempDir } from './temp-dir.js';

interface Given {
  /** The content, or the path of a file. */
  readonly file: string | Buffer | { readonly path: string };
  readonly name?: string;
  readonly member?: string;
  readonly maxBytes?: number;
}

/** The text of the JSON lines that a stored file gives. */
export async function jsonLines(given: Given): Promise<string> {
  const { file, name = 'data', member = null, maxBytes = 2 ** 30 } = given;
  const dir = tempDir();
  const path = typeof file === 'object' && 'path' in file ? file.path : join(dir, 'stored');
  if (typeof file === 'string' || Buffer.isBuffer(file)) writeFileSync(path, file);
  const ctx: ConvertContext = {
    signal: new AbortController().signal,
    where: 'the.option',
    label: name,
    maxBytes,
    scratch: new Scratch(join(dir, 'scratch')),
  };
  return readFileSync(await toJsonLines({ path, name, member }, ctx), 'utf8');
}

/** The one problem with a stored file. */
export async function conversionProblem(given: Given): Promise<Problem> {
  const error = await jsonLines(given).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  const { problems } = error as ConfigError;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ where: 'the.option', fix: expect.stringMatching(/.\.$/) });
  return problems[0] as Problem;
}
