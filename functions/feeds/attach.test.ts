import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { feedWorld, type OpenFeed } from '../../local/harness/feeds.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { conflict, type Failure } from '../core/errors.ts'
import run from '../stacks/services/run.ts'
import update from '../stacks/update.ts'
import './attach.ts'

/** A deployed stack, a container that waits for its feed, and the service that shows it. */
async function withOneOff(
  command: string[],
  compose = shop,
  by: 'operator' | 'admin' = 'operator',
) {
  const made = world()
  await givenStack(made, 'shop', { compose })
  made.engine.executed.splice(0)
  const { ports } = made
  const path = { name: 'shop', service: 'web' }
  const { json } = await call(run, { ports, as: by, path, body: { command } })
  const service = await feedWorld({ ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const open = (as: 'operator' | 'admin' | 'viewer' = 'operator', id = json.container_id) =>
    service.open(`/ws/attach/${id}`, as)
  return { ...made, open }
}

/** Returns all messages as `channel text`, then the close code. */
async function said({ ended, messages }: OpenFeed) {
  const { code } = await ended
  return [...messages.map((one) => `${(one as Buffer)[0]} ${(one as Buffer).subarray(1)}`), code]
}

test('101: starts the container and sends its output and exit status', async () => {
  const { open } = await withOneOff(['sh', '-c', 'echo a; exit 7'])
  const [output, status, code] = await said(await open())
  expect([output, code]).toEqual(['1 a\n', 1000])
  expect(status).toContain('{"reason":"ExitCode","message":"7"}')
})

test('101: the container is gone when its exit status arrives', async () => {
  const { open, engine, ports } = await withOneOff(['cat'])
  const { on } = ports.engines
  ports.engines.on = async (id) => {
    const found = await on(id)
    const execute: typeof found.execute = async (...words) => {
      await pause(20)
      return found.execute(...words)
    }
    return { ...found, execute }
  }
  const feed = await open()
  const left = new Promise<string[]>((resolve) => {
    feed.ws.on('message', (message: Buffer) => {
      if (message[0] !== 3) return
      resolve([...engine.state.containers.values()].map(({ name }) => name))
    })
  })
  feed.ws.send(Buffer.from([255, 0]))
  expect((await left).filter((name) => name.includes('-run-'))).toEqual([])
})

test('101: passes on input and its end', async () => {
  const { open } = await withOneOff(['cat'])
  const feed = await open()
  feed.ws.send(Buffer.concat([Buffer.from([0]), Buffer.from('hello')]))
  feed.ws.send(Buffer.from([255, 0]))
  expect(await said(feed)).toEqual(['1 hello', '3 {"status":"Success"}', 1000])
})

test('403: a viewer, and a container that another account created', async () => {
  const { open } = await withOneOff(['cat'])
  await expect(open('viewer')).rejects.toMatchObject({ status: 403 })
  await expect(open('admin')).rejects.toMatchObject({ status: 403 })
})

test('404: no such container, or one that is no one-off container', async () => {
  const { open, engine } = await withOneOff(['cat'])
  await expect(open('operator', 'none')).rejects.toMatchObject({ status: 404 })
  await expect(open('operator', 'shop-web-1')).rejects.toMatchObject({ status: 404 })
  const all = [...engine.state.containers.values()]
  const forged = all.find(({ name }) => name === 'shop-web-1')
  const own = all.find(({ name }) => name.includes('-run-'))
  if (forged && own) forged.body.Labels = own.body.Labels
  await expect(open('operator', 'shop-web-1')).rejects.toMatchObject({ status: 404 })
})

test('409: another feed is attached', async () => {
  const { open } = await withOneOff(['sleep', '60'])
  const first = await open()
  await expect(open()).rejects.toMatchObject({ status: 409 })
  first.ws.close()
  await first.ended
})

test('404: a label that is no key of the store', async () => {
  const { open, engine, ports } = await withOneOff(['cat'])
  const { find } = ports.oneOffs
  ports.oneOffs.find = async (id) => {
    if (id === '' || id.length > 1024) throw new Error('the store refuses the key')
    return find(id)
  }
  const web = [...engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
  for (const slug of ['', 'x'.repeat(3000)]) {
    if (web) web.body.Labels = { ...(web.body.Labels as object), 'com.docker.compose.slug': slug }
    await expect(open('operator', 'shop-web-1')).rejects.toMatchObject({ status: 404 })
  }
})

test('403: a one-off container that controls its host, which then still waits', async () => {
  const { open, engine, ports } = await withOneOff(['cat'])
  const own = [...engine.state.containers.values()].find(({ name }) => name.includes('-run-'))
  if (own) own.body.HostConfig = { PidMode: 'host' }
  const error = expect.stringContaining('the option pid: host')
  await expect(open()).rejects.toMatchObject({ status: 403, body: error })
  expect(await ports.oneOffs.list()).toMatchObject([{ isAttached: false }])
  if (own) own.body.HostConfig = {}
  expect((await open()).ws.readyState).toBe(1)
})

/** A service with commands to run after its start. */
const withHooks = `services:
  web:
    image: busybox:latest
    command: sleep 60
    post_start:
      - {command: [warm, one], user: root, working_dir: /tmp, environment: [WHO=hook]}
      - {command: [warm, two]}
`

/** Returns the commands that ran, each with the state of the one-off container. */
function ranIn(
  { engine }: World,
  fail: (command: string) => Failure | undefined = () => undefined,
) {
  const ran: string[] = []
  engine.failing = (step) => {
    if (step.action !== 'exec') return undefined
    const [own] = [...engine.state.containers.values()].filter(({ name }) => name === step.name)
    const command = (step.body.Cmd as string[]).join(' ')
    ran.push(`${command} while ${own?.state}`)
    return fail(command)
  }
  return ran
}

test('101: runs the post_start commands once, after the start', async () => {
  const here = await withOneOff(['cat'], withHooks)
  const ran = ranIn(here)
  const first = await here.open()
  await expect.poll(() => ran).toEqual(['warm one while running', 'warm two while running'])
  expect(here.engine.executed.find(({ action }) => action === 'exec')).toMatchObject({
    name: expect.stringMatching(/^shop-web-run-/),
    body: { Cmd: ['warm', 'one'], User: 'root', WorkingDir: '/tmp', Env: ['WHO=hook'] },
  })
  first.ws.close()
  await first.ended
  await expect.poll(() => here.ports.oneOffs.list()).toMatchObject([{ isAttached: false }])
  const again = await here.open()
  again.ws.close()
  await again.ended
  await expect.poll(() => here.ports.oneOffs.list()).toMatchObject([{ isAttached: false }])
  expect(ran).toHaveLength(2)
})

test('101: runs the commands that were deployed when the container was created', async () => {
  const here = await withOneOff(['cat'], withHooks)
  const ran = ranIn(here)
  const body = { compose: withHooks.replaceAll('warm', 'planted') }
  await call(update, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body })
  const feed = await here.open()
  await expect.poll(() => ran).toEqual(['warm one while running', 'warm two while running'])
  feed.ws.close()
  await feed.ended
})

test('101: a post_start that fails ends the container, and says so', async () => {
  const here = await withOneOff(['sleep', '60'], withHooks)
  const ran = ranIn(here, () => conflict('warm one exited with 3'))
  const [status, code] = await said(await here.open())
  expect(status).toContain('"reason":"PostStartFailed"')
  expect(status).toContain('service web: post_start: warm one exited with 3')
  expect([ran.length, code]).toEqual([1, 1000])
  const left = [...here.engine.state.containers.values()].map(({ name }) => name)
  expect(left.filter((name) => name.includes('-run-'))).toEqual([])
})

test('101: a command that ends before its post_start keeps its exit code', async () => {
  const here = await withOneOff(['sh', '-c', 'echo a; exit 7'], withHooks)
  ranIn(here, () => conflict('the container is not running'))
  const messages = await said(await here.open())
  expect(messages.slice(0, 2)).toEqual([
    '1 a\n',
    '2 service web: post_start: the container is not running\n',
  ])
  expect(messages[2]).toContain('{"reason":"ExitCode","message":"7"}')
})

test('101: starts nothing if the account may not run the post_start commands any more', async () => {
  const privileged = withHooks.replace(
    '{command: [warm, two]}',
    '{command: [warm], privileged: true}',
  )
  const here = await withOneOff(['cat'], privileged, 'admin')
  const ran = ranIn(here)
  const account = present(await here.ports.accounts.findByUsername('admin'))
  await here.ports.accounts.replace({ ...account, role: 'operator' })
  const [status] = await said(await here.open('admin'))
  expect(status).toContain('"reason":"NotStarted"')
  expect(status).toContain('privileged')
  expect(ran).toEqual([])
})
