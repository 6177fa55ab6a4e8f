// A model's name as the histories have it → who sells it, and under which name.

/** A seller by the name that genai-prices gives it, and the model by the name that the seller does. */
export interface Offer {
  provider: 'anthropic' | 'openai' | 'google' | 'aws';
  name: string;
}

/** Names come from files, and may be of any length; ARNs of Bedrock, the longest that are known, are far below this. */
const LONGEST = 500;

/**
 * Whose price list to look into, best first; nobody's for a name that does not tell its maker. Models of other makers have
 * no price: the same name is sold at many prices, and run at home for none.
 */
export function offersOf(model: string): Offer[] {
  if (model.length > LONGEST) return [];
  const name = bareName(model);
  const onBedrock = /^(?:.*\.)?(anthropic|openai)\.(.+?)(?:-v\d+(?::\d+)?)?$/.exec(name);
  if (onBedrock !== null) return ofBedrock(name, onBedrock);
  if (name.startsWith('claude')) return [{ provider: name.includes('@') ? 'google' : 'anthropic', name }];
  if (/^(?:gpt|chatgpt|codex|o\d)-/.test(name) || /^o\d$/.test(name)) return ofOpenAi(name);
  return name.startsWith('gemini-') || name.startsWith('gemma-') ? [{ provider: 'google', name }] : [];
}

/** Without the way to it (`models/gemini-…`, `openai/gpt-…`, the ARN of a profile) and without `[1m]`, which asks for a larger window. */
function bareName(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1);
  return last.replace(/\[[^\]]*\]$/, '').toLowerCase();
}

/** `us.anthropic.claude-sonnet-4-5-20250929-v1:0`: regions have prices of their own. One that is not in the list costs what the maker takes. */
function ofBedrock(name: string, [, maker, makersName = '']: RegExpExecArray): Offer[] {
  return [
    { provider: 'aws', name },
    { provider: maker === 'anthropic' ? 'anthropic' : 'openai', name: makersName },
  ];
}

/** Most snapshots are not in the list by their dates: they cost what their model does. Those which do not are. */
function ofOpenAi(name: string): Offer[] {
  const dateless = name.replace(/-20\d\d-\d\d-\d\d$/, '');
  return [
    { provider: 'openai', name },
    { provider: 'openai', name: dateless },
  ];
}
