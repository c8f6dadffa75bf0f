import { expect, test } from 'vitest'
import { readExpression } from './e2e/expression.ts'
import { runScenario } from './e2e/run-scenario.ts'
import { readSteps, type Scenario } from './e2e/scenario.ts'
import { textOf } from './e2e/values.ts'

const scenario = (compose: string, steps: [command: string, ...expect: string[]][]): Scenario => ({
  ...{ id: 'own/one', intent: 'own', env: [], images: ['alpine'], requires: [], special: [] },
  files: { 'compose.yaml': compose },
  steps: steps.map(([command, ...expected]) => ({ do: command, expect: expected, name: command })),
})
const sleeping = 'image: alpine\n    command: sleep 3600\n    stop_grace_period: 0s\n'
const app = `services:\n  app:\n    ${sleeping}`

test('parses an expression', () => {
  const names = { project: 'p', directory: '/d', variable: (name: string) => `<${name}>` }
  const text = (written: string) => textOf(readExpression(written), names)
  expect(text('"label="+s.Project()+`-x`')).toBe('label=p-x')
  expect(text('fmt.Sprintf("%s_%s", s.Project(), other)')).toBe('p_<other>')
  expect(text('filepath.Join(s.Dir(), ".env")')).toBe('/d/.env')
  expect(() => readExpression('ComposeCmd("up"')).toThrow()
  expect(() => readExpression('func() error { return nil }')).toThrow()
})

test('skips a scenario with an unsupported command, and names the command', () => {
  const reason = (command: string) => readSteps(scenario(app, [[command]]))
  expect(reason('ComposeCmd("run", "app")')).toEqual({ leftOut: 'the service has no `run`' })
  expect(reason('ComposeCmd("up", "--no-start")')).toEqual({
    leftOut: 'the service has no `up --no-start`',
  })
  expect(reason('ComposeCmd("up", "-d", "app")')).toEqual({
    leftOut: 'the service has no `up` of single services',
  })
  expect(reason('ComposeCmd("--dry-run", "up")')).toEqual({
    leftOut: 'the service has no `--dry-run`',
  })
})

test('a scenario passes if all expectations are met, and fails with the unmet one', async () => {
  const up = 'ComposeCmd("up", "-d")'
  const good = scenario(app, [
    [up, 'ServiceState("app", "running")'],
    ['ComposeCmd("up", "--scale", "app=2", "-d")', 'ReplicaNumbers("app", 1, 2)'],
    ['ComposeCmd("exec", "app", "echo", "here")', 'StdoutContains("here")'],
    ['ComposeCmd("stop")', 'ServiceNotCreated("app")'],
  ])
  expect(await runScenario(good)).toEqual({ passed: true })
  const bad = scenario(app.replace('sleep 3600', 'no-such-program'), [[up]])
  expect(await runScenario(bad)).toMatchObject({
    failed: expect.stringContaining('no-such-program'),
  })
}, 60_000)
