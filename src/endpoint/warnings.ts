/**
 * What can be odd about an answer that still counts as one. Each name is counted by samples in the report; none of
 * them changes the answer, which is kept as it came.
 */
export const WIRE_WARNINGS = {
  stop_with_tool_calls:
    'The answer holds tool calls but its finish_reason is "stop", so they count as not triggered.',
  empty_tool_calls: 'The finish_reason is "tool_calls" but the answer holds no tool call.',
  empty_tool_call_deltas: 'The stream carried tool_calls lists with nothing in them.',
  leaked_tool_markup:
    "The content holds the model's raw tool-call markup, which the server should have parsed.",
  markup_in_reasoning:
    "The reasoning holds the model's raw tool-call markup, which the server should have parsed.",
  think_tags_in_content:
    'The content holds <think> or </think>, which the server should have taken out as reasoning.',
  truncated_arguments: 'The arguments of a tool call end in the middle of their JSON.',
  arguments_twice: 'The whole arguments of a tool call were sent twice, one after the other.',
  arguments_object: 'The arguments of a tool call came as a JSON value instead of a string.',
  done_without_finish: 'The stream ended with [DONE] but no finish_reason came.',
  no_done_marker: 'The stream ended after its finish_reason without the closing [DONE].',
  unknown_finish_reason: 'The finish_reason is none of those that the OpenAI API defines.',
  error_after_finish: 'An error followed in the stream after the answer was complete.',
  keepalive_in_data: 'A data line of the stream held something other than JSON; it was ignored.',
  events_not_separated:
    'Events of the stream followed each other without the blank line between them.',
  calls_without_index: 'Tool-call deltas came without an index; they were told apart by id.',
  shared_index: 'Several tool calls came under the same index.',
  index_drift: 'The index of a tool call changed between its chunks; its id held it together.',
  id_changed: 'The id of a tool call changed between its chunks.',
  duplicate_call_id: 'Two tool calls of one answer have the same id.',
  name_repeated: 'The name of a tool call was sent more than once.',
  foreign_call_id: 'The id of a tool call is not of the form functions.NAME:INDEX.',
  malformed_tool_calls: 'A tool_calls value was not a list of objects; what was not was ignored.',
  legacy_function_call: 'The answer used the old function_call field instead of tool_calls.',
  reasoning_only: 'The answer holds reasoning and then neither content nor a tool call.',
  replacement_character: 'The text holds U+FFFD: bytes of a character were lost on the way.',
  stream_though_not_asked: 'The endpoint sent a stream although none was asked for.',
  json_though_stream_asked: 'The endpoint sent one JSON body although a stream was asked for.',
  stream_options_dropped:
    'The endpoint refused stream_options, so requests went out without them and usage may be missing.',
  model_differs: 'The endpoint names another model than the one asked for.',
} as const satisfies Readonly<Record<string, string>>;

/** Name of a wire warning. */
export type WireWarning = keyof typeof WIRE_WARNINGS;
