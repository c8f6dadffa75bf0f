import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { EstatePlan } from '../api/types.ts'
import type { Io } from '../io.ts'
import { showEstatePlan } from './estate-plan.ts'
import { makePrinter } from './print.ts'

type Step = EstatePlan['steps'][number]

const step = (name: string, action: Step['action'], more: Partial<Step> = {}): Step => ({
  section: 'roles',
  name,
  action,
  fields: [],
  secrets: [],
  problems: [],
  notes: [],
  ...more,
})

/** Returns the last line on standard error: how many steps there are of each kind. */
function countsOf(steps: Step[]): string | undefined {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const io: Io = { stdin: process.stdin, stdout, stderr, env: {}, platform: 'linux', cwd: '/' }
  showEstatePlan({ name: 'home', digest: '', steps }, makePrinter(io))
  return String(stderr.read()).trimEnd().split('\n').at(-1)
}

test('each step is counted once, by its action or as refused', () => {
  const usual = [step('a', 'create'), step('b', 'change'), step('c', 'nothing')]
  expect(countsOf(usual)).toBe('1 to create, 1 to change, 1 unchanged')
  const problems = ['the role is built in']
  const others = [
    step('d', 'unknown'),
    step('e', 'unknown'),
    step('f', 'delete'),
    step('g', 'change', { problems }),
    step('h', 'unknown', { problems }),
  ]
  expect(countsOf([...usual, ...others])).toBe(
    '1 to create, 1 to change, 1 unchanged, 2 unknown, 1 to delete, 2 refused',
  )
})
