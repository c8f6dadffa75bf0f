import { isTest, type Source } from './source.ts'

/** Values that a module keeps between calls although `functions` remember nothing; each says what makes it harmless. */
export const caches: Record<string, string> = {
  'functions/kit/respond.ts serialised': 'the JSON of a frozen value, gone with the value',
  'functions/core/compose/load/validate.ts compiled':
    'the compiled schema, a constant made when first needed',
}

const variable = /^(?:export\s+)?(?:let|var)\s+(\w+)/gm
const emptyCollection =
  /^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*(?:new\s+(?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\)|\[\](?!\s*as const)|\{\})/gm

/** What modules of `functions` keep between calls: top-level variables, and collections that begin empty. */
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
  ['reads the process', /\bprocess\./],
  ['waits or calls out', /\bset(?:Timeout|Interval|Immediate)\(|\bfetch\(/],
  ['prints', /\bconsole\./],
]
/** The log is the one part of the kit that has the world as its business. */
const worldly = new Set(['functions/kit/logger.ts', 'functions/kit/line-writer.ts'])

/** Functions that reach for the world on their own: it is given to them as arguments or ports. */
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
