import { describe, expect, test } from '@jest/globals';
import { classifyStatus } from '../../src/endpoint/classify.js';

const causeFor = (status: number, body: unknown): string => {
  const finding = classifyStatus(
    status,
    typeof body === 'string' ? body : JSON.stringify(body),
    null,
  );
  return finding.kind === 'failed' ? finding.cause : finding.kind;
};
const error = (message: string): unknown => ({ error: { message } });

describe('what endpoints say about images', () => {
  test.each([
    ['a gateway', 404, 'No endpoints found that support image input', 'no_images'],
    ['Ollama', 400, 'this model does not support image input (ref: b8bd)', 'no_images'],
    [
      'OpenAI',
      400,
      'Invalid content type. image_url is only supported by certain models.',
      'no_images',
    ],
    [
      'llama.cpp',
      500,
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      'no_images',
    ],
    [
      'DeepSeek',
      400,
      'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 1034',
      'no_images',
    ],
    ['vLLM', 400, 'moonshotai/Kimi-K2-Thinking is not a multimodal model', 'no_images'],
    ['vLLM, none allowed', 400, 'At most 0 image(s) may be provided in one request.', 'no_images'],
    [
      'a text-only server',
      400,
      'Unsupported content part type for text-only server: image_url',
      'no_images',
    ],
    ['in other words', 422, "The model doesn't support vision.", 'no_images'],
    [
      'vLLM, one allowed',
      400,
      'At most 1 image(s) may be provided in one request.',
      'too_many_images',
    ],
    [
      'vLLM, older',
      400,
      'You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items in the same prompt.',
      'too_many_images',
    ],
    ['OpenAI, many', 400, 'Too many images in request. Max is 10.', 'too_many_images'],
    ['a broken image', 400, 'The image data is not valid base64.', 'refused'],
    ['an image of another kind', 400, 'Could not process image: it is empty.', 'refused'],
    [
      'a full context',
      400,
      "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.",
      'refused',
    ],
    ['another model', 404, 'The model `vision-1` does not exist.', 'model_not_found'],
    ['any other fault', 500, 'CUDA out of memory', 'server_error'],
  ])('%s', (_, status, message, cause) => {
    expect(causeFor(status, error(message))).toBe(cause);
  });

  test('what it quotes of the request proves nothing', () => {
    const body = {
      detail: [
        { type: 'value_error', loc: ['body', 'top_k'], msg: 'bad', input: 'images not supported' },
      ],
    };
    expect(causeFor(422, body)).toBe('refused');
  });
});
