import type { Cause } from '../model/completion.js';

const IMAGE = '\\b(?:images?|image_url|vision|multi-?modal)\\b';
/**
 * How endpoints say that a model is blind, each in its own words: gateways ("No endpoints found that support image
 * input"), Ollama ("this model does not support image input"), OpenAI ("image_url is only supported by certain
 * models"), llama.cpp ("image input is not supported ... provide the mmproj"), DeepSeek ("unknown variant `image_url`,
 * expected `text`"), vLLM ("is not a multimodal model", "At most 0 image(s)").
 */
const NO_IMAGES = new RegExp(
  [
    `\\b(?:no|not|cannot|\\w+n['’]t)\\b[^.]{0,40}\\b(?:support|accept|take)[^.]{0,30}${IMAGE}`,
    `${IMAGE}[^.]{0,40}\\b(?:not|\\w+n['’]t|only) (?:be )?support`,
    `\\bunsupported\\b[^.]{0,60}${IMAGE}`,
    '\\bunknown variant\\b.{0,3}image_url',
    '\\bnot an? (?:multi-?modal|vision)',
    '\\bat most 0 image',
    '\\bmmproj\\b',
  ].join('|'),
  'i',
);
/**
 * vLLM ("At most 1 image(s) may be provided in one request", "passed 3 image items in the same prompt"), OpenAI and Groq
 * ("Too many images").
 */
const TOO_MANY = /\bat most [1-9]\d* images?\b|\btoo many images\b|\bpassed \d+ image items\b/i;

/** Whether an endpoint says that it takes no images, or not so many. `messages`: its own words, not quoted ones. */
export function causeOfImages(messages: readonly string[]): Cause | null {
  if (messages.some((text) => TOO_MANY.test(text))) return 'too_many_images';
  return messages.some((text) => NO_IMAGES.test(text)) ? 'no_images' : null;
}
