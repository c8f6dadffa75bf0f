import { declaredTest } from '../matrix/declared-name.ts'
import type { Copy } from './copy.ts'
import { controlProblem, judge, missingTests, type Verdict } from './judge.ts'
import type { Mutation } from './mutation.ts'

/** A check and its verdict. */
export interface Result {
  file: string
  name: string
  verdict: Verdict
}

type Tests = Pick<Mutation, 'tests' | 'only'>
/** Returns why tests cannot judge a check, or undefined if they pass in an unchanged copy. */
type Control = (tests: Tests, copy: Copy) => Promise<string | undefined>

/**
 * Removes the checks, one at a time per copy of the tree, and runs their tests. `onResult` receives
 * each result at once. Tests first run once without any change. If they fail even then, the verdict
 * is an error.
 */
export async function tryChecks(
  mutations: Mutation[],
  copies: Copy[],
  onResult: (result: Result) => void = () => {},
): Promise<Result[]> {
  const queue = [...mutations]
  const control = cachedControl()
  const results: Result[] = []
  const work = async (copy: Copy) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { file, name } = next
      const result = { file, name, verdict: await tryOne(next, copy, control) }
      results.push(result)
      onResult(result)
    }
  }
  await Promise.all(copies.map(work))
  return results
}

async function tryOne(mutation: Mutation, copy: Copy, control: Control): Promise<Verdict> {
  const problem = await control(mutation, copy)
  if (problem !== undefined) return error(problem)
  let restore: () => void
  try {
    restore = copy.remove(mutation)
  } catch (thrown) {
    return error((thrown as Error).message)
  }
  try {
    return judge(await copy.test(mutation, { bail: true }))
  } finally {
    restore()
  }
}

/**
 * Removes the declarations of all routes at once. `local/matrix/declared` has a test for each
 * route, which must fail. A route whose test passes has survived.
 */
export async function tryDeclared(
  mutations: (Mutation & { route: string })[],
  copy: Copy,
): Promise<Result[]> {
  const tests = { tests: ['local/matrix/declared'] }
  const reason = await cachedControl()(tests, copy)
  const verdictOf =
    reason === undefined ? await withoutAll(mutations, tests, copy) : () => error(reason)
  return mutations.map(({ file, name, route }) => ({ file, name, verdict: verdictOf(route) }))
}

async function withoutAll(mutations: Mutation[], tests: Tests, copy: Copy) {
  const restore = mutations.map((mutation) => copy.remove(mutation))
  const run = await copy.test(tests)
  for (const one of restore) one()
  const [file] = run.unloaded
  return (route: string): Verdict => {
    if (file !== undefined) return error(`the tests do not run without the check: ${file}`)
    const by = run.failed.find((name) => name === declaredTest(route))
    return by === undefined ? { kind: 'survived' } : { kind: 'killed', by }
  }
}

const error = (reason: string): Verdict => ({ kind: 'error', reason })

/** Returns a control that runs each set of tests once, in the first copy that needs it. */
function cachedControl(): Control {
  const controls = new Map<string, Promise<string | undefined>>()
  return (tests, copy) => {
    const key = JSON.stringify([tests.tests, tests.only])
    const known = controls.get(key) ?? runControl(tests, copy)
    controls.set(key, known)
    return known
  }
}

async function runControl(tests: Tests, copy: Copy): Promise<string | undefined> {
  const missing = missingTests(tests, copy.testFiles)
  return missing ?? controlProblem(await copy.test(tests, { bail: true }), tests.only)
}
