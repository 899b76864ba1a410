type Env = Readonly<Record<string, string | undefined>>;

/**
 * The inputs as the runner hands them over: `INPUT_` and the name in capitals. Inputs that action.yml does not name come
 * along too, since the runner only warns of them; parseConfig names the one that was meant.
 */
export function actionValues(env: Env): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [variable, value] of Object.entries(env)) {
    const name = /^INPUT_(.+)$/.exec(variable)?.[1]?.toLowerCase();
    if (name !== undefined && value !== undefined) values[name] = value;
  }
  return values;
}

/** The only two places a key may come from on a terminal; empty when neither is set. */
export function terminalKey(env: Env): string {
  return env['VENDOR_GATE_API_KEY'] || env['OPENAI_API_KEY'] || '';
}
