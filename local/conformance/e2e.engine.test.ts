import { expect, test } from 'vitest'
import { readExpression } from './e2e/expression.ts'
import { withStandIns } from './e2e/images.ts'
import { runScenario } from './e2e/run-scenario.ts'
import { readSteps, type Scenario } from './e2e/scenario.ts'
import { textOf } from './e2e/values.ts'
import { parseWords } from './e2e/words.ts'

const scenario = (compose: string, steps: [command: string, ...expect: string[]][]): Scenario => ({
  id: 'own/one',
  intent: 'own',
  env: [],
  images: ['alpine'],
  requires: [],
  special: [],
  files: { 'compose.yaml': compose },
  steps: steps.map(([command, ...expected]) => ({ do: command, expect: expected, name: command })),
})
const sleeping = 'image: alpine\n    command: sleep 3600\n    stop_grace_period: 0s\n'
const app = `services:\n  app:\n    ${sleeping}`

test('parses an expression', () => {
  const names = {
    project: 'p',
    directory: '/d',
    server: 's',
    variable: (name: string) => `<${name}>`,
  }
  const text = (written: string) => textOf(readExpression(written), names)
  expect(text('"label="+s.Project()+`-x`')).toBe('label=p-x')
  expect(text('fmt.Sprintf("%s_%s", s.Project(), other)')).toBe('p_<other>')
  expect(text('filepath.Join(s.Dir(), ".env")')).toBe('/d/.env')
  expect(() => readExpression('ComposeCmd("up"')).toThrow()
  expect(() => readExpression('func() error { return nil }')).toThrow()
})

test('parses a command line of docker compose', () => {
  const words = parseWords(
    '--profile a --env-file f --verbose up -d --scale web=2 --scale=db=1 web'.split(' '),
  )
  expect(words).toMatchObject({ profiles: ['a'], envFile: 'f', globals: ['--verbose'], verb: 'up' })
  expect([[...words.flags], words.values.get('--scale'), words.names]).toEqual([
    ['-d'],
    ['web=2', 'db=1'],
    ['web'],
  ])
  expect(parseWords('exec --index 2 -T web ls -la --index 3'.split(' '))).toMatchObject({
    names: ['web', 'ls', '-la', '--index', '3'],
    values: new Map([['--index', ['2']]]),
  })
})

test('replaces images that cannot be pulled', () => {
  const text = (written: string) => withStandIns(written, 's')
  expect(text('  image: alpine\n')).toBe('  image: busybox:latest\n')
  expect(text('FROM alpine:3.12\nRUN true')).toBe('FROM busybox:latest\nRUN true')
  expect(text('FROM bash')).toBe('FROM busybox:latest')
  expect(text('image: nginx\n')).toBe('image: s\n')
  expect(text('image: alpine-own\n')).toBe('image: alpine-own\n')
})

test('skips a scenario with an unsupported command, and names the command', () => {
  const reason = (command: string) => readSteps(scenario(app, [[command]]))
  expect(reason('ComposeCmd("watch", "web")')).toEqual({
    leftOut: 'the service has no `watch`',
  })
  expect(reason('ComposeCmd("up", "--no-start")')).toEqual({
    leftOut: 'the service has no `up --no-start`',
  })
  expect(reason('ComposeCmd("--dry-run", "up")')).toEqual({
    leftOut: 'the service has no `--dry-run`',
  })
  expect(reason('ComposeCmd("up", "-d", "app")')).toEqual([
    expect.objectContaining({ args: expect.anything() }),
  ])
})

test('a scenario passes if all expectations are met, and fails with the unmet one', async () => {
  const up = 'ComposeCmd("up", "-d")'
  const good = scenario(app, [
    [up, 'ServiceState("app", "running")'],
    ['ComposeCmd("up", "--scale", "app=2", "-d")', 'ReplicaNumbers("app", 1, 2)'],
    ['ComposeCmd("exec", "--index", "2", "app", "echo", "here")', 'StdoutContains("here")'],
    ['ComposeCmd("exec", "--index", "3", "app", "true").MayFail()', 'ExitCode(1)'],
    ['ComposeCmd("stop")', 'ServiceState("app", "exited")'],
    ['ComposeCmd("start")', 'ServiceState("app", "running")', 'NotRecreated("app")'],
  ])
  expect(await runScenario(good)).toEqual({ passed: true })
  const bad = scenario(app.replace('sleep 3600', 'no-such-program'), [[up]])
  expect(await runScenario(bad)).toMatchObject({
    failed: expect.stringContaining('no-such-program'),
  })
})

test('the environment of the caller wins over .env, which may refer to it', async () => {
  const compose = app.replace('sleep 3600', 'sh -c "echo $$A-$$B"') + '    environment: [A, B]\n'
  const made = scenario(compose, [
    ['ComposeCmd("up")', 'StdoutContains("file-default")'],
    ['ComposeCmd("up").WithEnv("A=own")', 'StdoutContains("own-own")'],
    ['ComposeCmd("up")', 'OutputContains("exited with code 0")'],
  ])
  const files = { ...made.files, '.env': 'B=${A:-default}\nA=file\n' }
  expect(await runScenario({ ...made, files })).toEqual({ passed: true })
})
