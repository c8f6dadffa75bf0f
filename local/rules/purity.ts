import { isTest, type Source } from './source.ts'

/**
 * Module-level values of `functions`, which otherwise keep no state between calls → why each is
 * harmless.
 */
export const caches: Record<string, string> = {
  'functions/kit/respond.ts contents':
    'the JSON of a frozen value and its hash, released with the value',
  'functions/compose/load/schema-validators.ts compiled':
    'the compiled schema in both forms, constants made when first needed',
}

const variable = /^(?:export\s+)?(?:let|var)\s+(\w+)/gm
const emptyCollection =
  /^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*(?:new\s+(?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\)|\[\](?!\s*as const)|\{\})/gm

/**
 * Returns the module-level state of `functions`: variables, and collections that are initially
 * empty.
 */
export function moduleState(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('functions/') && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(variable), ...text.matchAll(emptyCollection)].map(
        ([, name]) => `${path} ${name}`,
      ),
    )
    .filter((kept) => !Object.hasOwn(caches, kept))
}

const outside: [string, RegExp][] = [
  ['reads the clock', /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/],
  ['draws chance', /\bMath\.random\(|\brandom(?:Bytes|UUID|Int|FillSync)\(|\bgetRandomValues\(/],
  ['reads the process', /(?<![-\w/])process\./],
  ['waits or calls out', /\bset(?:Timeout|Interval|Immediate)\(|\bfetch\(/],
  ['prints', /\bconsole\./],
  // It refuses names with umlauts in a process that has called it often.
  ['calls URL.canParse instead of parseUrl', /\bURL\.canParse\b/],
]
/** The log is the only part of the kit that does I/O. */
const worldly = new Set(['functions/kit/logger.ts', 'functions/kit/line-writer.ts'])

/**
 * Returns the functions that access the outside world directly instead of through arguments or
 * ports.
 */
export function impurities(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('functions/') && !isTest(path) && !worldly.has(path))
    .flatMap(({ path, text }) =>
      outside
        .filter(([, pattern]) => pattern.test(withoutComments(text)))
        .map(([what]) => `${path} ${what}`),
    )
}

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
