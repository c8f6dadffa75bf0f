import { randomBytes } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { ExecOptions } from '../../functions/core/ports/engine-exec.ts'
import { paced } from '../../local/harness/pace.ts'
import { cleanEngine } from '../testing/contract/engine-clean.ts'
import { createStep, labels, run, startContainer, step } from '../testing/contract/engine-world.ts'
import { dockerEngine } from './engine.ts'
import { transportFrom } from './transport/connect.ts'

const engine = dockerEngine({
  transport: transportFrom(process.env),
  host: 'local',
  stacksDirectory: '/tmp',
})
afterAll(() => engine.close())

function newProject(): string {
  const project = `refusals-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  return project
}

const never = () => new AbortController().signal

test.each<[string, Partial<ExecOptions>, string]>([
  ['a shell that the image does not have', { command: ['bash'] }, 'the image has no shell bash'],
  ['a program that it does not have', { command: ['nosuch'] }, 'in the container: nosuch'],
  ['an unknown user', { user: 'ada' }, 'the container has no user ada'],
  ['a missing directory', { workdir: '/nowhere' }, 'the container has no directory /nowhere'],
])('says in words that a command cannot start: %s', async (_, more, expected) => {
  const name = await startContainer(engine, newProject(), 'one', 'sleep 100')
  for (const tty of [false, true]) {
    const asked = engine.exec(name, { command: ['true'], tty, ...more }, never())
    const session = await asked.catch((error: unknown) => {
      // Newer Engines look for the user before they make the command.
      expect(more.user && error).toMatchObject({ status: 400, message: expected })
    })
    if (!session) continue
    let output = ''
    for await (const { data } of session.output) output += Buffer.from(data)
    expect(output).toContain(expected)
    expect(output).not.toContain('OCI runtime')
    expect([126, 127]).toContain(await session.exitCode())
  }
})

test('a command of a step that cannot start fails with words', async () => {
  const name = await startContainer(engine, newProject(), 'one', 'sleep 100')
  const exec = step({ action: 'exec', kind: 'container', name, body: { Cmd: ['bash'] } })
  await expect(run(engine, exec)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('the image has no shell bash'),
  })
})

test('409: names the network that was removed while a container was stopped', async () => {
  const project = newProject()
  const name = `${project}_nn`
  const network = step({
    action: 'create',
    kind: 'network',
    name,
    body: { Name: name, Labels: labels(project) },
  })
  const { id = '' } = await run(engine, network)
  const create = createStep(project, 'one', 'sleep 100', { HostConfig: { NetworkMode: name } })
  const container = { kind: 'container', name: create.name } as const
  await run(engine, create, step({ ...container, action: 'start' }))
  await run(engine, step({ ...container, action: 'stop' }))
  await run(engine, step({ action: 'remove', kind: 'network', name, id }))
  for (const kind of ['start', 'restart'] as const) {
    const failure = {
      status: 409,
      message: `container ${create.name}: its network ${name} was removed: deploy the stack: that creates both again`,
    }
    await expect(engine.act(create.name, { kind })).rejects.toMatchObject(failure)
    await expect(run(engine, step({ ...container, action: kind }))).rejects.toMatchObject(failure)
  }
})

test('returns what the last health check printed if it failed', async () => {
  const project = newProject()
  const Healthcheck = { Test: ['CMD', 'sh', '-c', 'echo refused; exit 1'], Interval: 1e8 }
  const create = createStep(project, 'one', 'sleep 100', { Healthcheck })
  await run(engine, create, step({ action: 'start', kind: 'container', name: create.name }))
  const output = async () => (await engine.container(create.name)).healthOutput
  await expect.poll(output, { timeout: paced(15_000) }).toBe('refused')
})
