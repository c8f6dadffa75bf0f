import { isTest, type Source } from './source.ts'

/** Handlers that drop an error for a good reason: the file and its function → the reason. */
export const mayDropErrors: Record<string, string> = {
  'functions/core/promises.ts markHandled': 'the caller that awaits the promise gets the error',
  'functions/core/deploy/record-stack.ts recordStack': 'the caller of the change gets the error',
  'adapters/store/texts.ts storedTexts': 'reads again, and throws what that read throws',
  'adapters/net/request.ts readBody': 'reports a body that breaks off as cut',
  'adapters/node/http/mount.ts largeBody': 'reports a body that breaks off as a problem',
  'adapters/node/start/main.ts unfinishedIn': 'the check of the data directory reports the error',
  'adapters/sidecar/agents/listener.ts judged': 'refuses the connection, with the reason',
  'cli/import/dockge/stacks.ts readInside': 'reads the file then, and throws what that read throws',
  'cli/session/loopback.ts openLoopback': 'the caller that awaits the code gets the error',
}

/** Names of functions whose result says that something failed. */
const answers = /^(?:is|parse|decode|try)[A-Z]|^(?:parse|decode)$|Problem$/

/** Handlers that do not use the error, up to their body. */
const handlers = [
  /\bcatch (?:\(_\w*\) )?(?=\{)|\bcatch \(\w+\) (?=\{\s*\})/g,
  /\.catch\(\s*(?:async )?\(\w*\) => (?=\{\}|\[\]|\(\{\}\)|undefined|null|false|true|'')/g,
  /\.catch\(\s*(?:async )?\(_?\) => /g,
  /\.then\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*,\s*\(_?\) => (?=\{\}|\[\]|undefined|null|false|true|0|'')/g,
]

/**
 * Returns handlers that drop an error. A handler must pass it to `ignoreError` or `ignoreFailure`,
 * check it by its name, or throw. Functions whose name says that their result is about a failure,
 * as `isAddress` or `parseItem`, may return one.
 */
export function swallowedErrors(sources: Source[], allowed = mayDropErrors): string[] {
  const needed = new Set<string>()
  const found = sources.filter(isProgram).flatMap(({ path, text }) =>
    handlers.flatMap((handler) =>
      [...text.matchAll(handler)].flatMap(({ 0: head, index }) => {
        if (isComment(text, index) || throws(text.slice(index + head.length))) return []
        const name = enclosing(text.slice(0, index))
        if (answers.test(name)) return []
        const key = `${path} ${name}`
        needed.add(key)
        return Object.hasOwn(allowed, key) ? [] : [`${key}: drops an error`]
      }),
    ),
  )
  const unneeded = Object.keys(allowed).filter((key) => !needed.has(key))
  return [...new Set(found), ...unneeded.map((key) => `${key}: drops no error`)]
}

const isProgram = ({ path }: Source) => /^(functions|adapters|cli)\//.test(path) && !isTest(path)

const isComment = (text: string, at: number) =>
  /^\s*(?:\*|\/\/)/.test(text.slice(text.lastIndexOf('\n', at) + 1, at))

/** Returns whether the block at the beginning of a text throws or rejects. */
function throws(text: string): boolean {
  if (!text.startsWith('{')) return false
  let depth = 0
  for (let end = 0; end < text.length; end += 1) {
    if (text[end] === '{') depth += 1
    if (text[end] === '}') depth -= 1
    if (depth === 0) return /\bthrow\b|\breject\(|\bfail\(/.test(text.slice(0, end))
  }
  return false
}

/** Returns the name of the last function that begins in a text at the top level of its file. */
function enclosing(text: string): string {
  const functions = /^(?:export )?(?:async )?(?:function\*? |const |class )(\w+)/gm
  return [...text.matchAll(functions)].at(-1)?.[1] ?? ''
}
