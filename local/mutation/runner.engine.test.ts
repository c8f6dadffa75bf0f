import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { declaredTest } from '../matrix/declared-name.ts'
import { type Copy, makeCopy } from './copy.ts'
import { type Mutation, mutation } from './mutation.ts'
import { tryChecks, tryDeclared } from './runner.ts'

const modules = resolve(import.meta.dirname, '../../node_modules')
const may = 'functions/may.ts'
const tree = {
  [may]: `// A rule.\nexport const may = (name: string) => name === 'root'\n`,
  'functions/may.test.ts': `import { expect, test } from 'vitest'
import { may } from './may.ts'
test('root may', () => expect(may('root')).toBe(true))
test('others may not', () => expect(may('alice')).toBe(false))
`,
  'local/matrix/declared.test.ts': `import { expect, test } from 'vitest'
import { may } from '../../functions/may.ts'
test('${declaredTest('GET /may')}', () => expect(may('alice')).toBe(false))
test('${declaredTest('GET /may/{id}')}', () => expect(may('root')).toBe(true))
`,
  'adapters/absent.test.ts': `import { expect, test } from 'vitest'
test('there is a store', () => expect(process.env.NO_SUCH_STORE).toBeDefined())
`,
}
let root: string
let copies: Copy[]

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'container-stacks-runner-'))
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  copies = [makeCopy(root, modules)]
})

afterAll(() => {
  for (const copy of copies) copy.drop()
  rmSync(root, { recursive: true, force: true })
})

const everybody = (tests: string[], only?: string): Mutation =>
  mutation('all may', may, "name === 'root'", 'true', tests, only)
const verdictOf = async (mutation: Mutation) =>
  (await tryChecks([mutation], copies)).map(({ verdict }) => verdict)

test('a removed check whose tests fail is killed', async () => {
  expect(await verdictOf(everybody(['functions']))).toEqual([
    { kind: 'killed', by: 'others may not' },
  ])
})

test('a declared permission is killed by the test of its route', async () => {
  const check = { ...everybody([]), route: 'GET /may' }
  const found = await tryDeclared([check], present(copies[0]))
  expect(found.map(({ verdict }) => verdict)).toEqual([
    { kind: 'killed', by: declaredTest('GET /may') },
  ])
})

test('a harmless change survives', async () => {
  const harmless = mutation('a comment', may, '// A rule.', '// The rule.', ['functions'])
  expect(await verdictOf(harmless)).toEqual([{ kind: 'survived' }])
})

test('tests that fail without any change are an error', async () => {
  expect(await verdictOf(everybody(['adapters/absent']))).toEqual([
    { kind: 'error', reason: 'the tests fail without any change: there is a store' },
  ])
})

test('tests that do not load without the check are an error', async () => {
  const broken = mutation('a syntax error', may, 'export const may = ', 'export const may = = ', [
    'functions',
  ])
  expect(await verdictOf(broken)).toEqual([
    {
      kind: 'error',
      reason: expect.stringMatching(/^the tests do not run without the check: .*may\.test\.ts$/),
    },
  ])
})

test('a check without a test of the given name is an error', async () => {
  expect(await verdictOf(everybody(['functions'], 'nothing of that name'))).toEqual([
    { kind: 'error', reason: 'no test that runs has `nothing of that name` in its name' },
  ])
})

test('a check without existing test files is an error', async () => {
  expect(await verdictOf(everybody(['functions', 'functions/gone.test.ts']))).toEqual([
    { kind: 'error', reason: 'no test file has `functions/gone.test.ts` in its path' },
  ])
})

test('a check that its file no longer contains is an error', async () => {
  const gone = mutation('a check that is gone', may, "name === 'admin'", 'true', ['functions'])
  expect(await verdictOf(gone)).toEqual([
    { kind: 'error', reason: "the file does not contain the text exactly once: name === 'admin'" },
  ])
})

test('checks with the same tests share one control run', async () => {
  const runs: boolean[] = []
  const found = { passed: 1, failed: [], unloaded: [], code: 0 }
  const counting: Copy = {
    ...present(copies[0]),
    remove: () => () => runs.push(false),
    test: async () => {
      runs.push(true)
      return found
    },
  }
  await tryChecks([everybody(['functions']), everybody(['functions'])], [counting])
  expect(runs).toEqual([true, true, false, true, false])
})
