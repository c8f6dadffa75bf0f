import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { feedWorld, type OpenFeed } from '../../local/harness/feeds.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import './exec.ts'

async function execWorld() {
  const made = world()
  const id = await givenContainer(made, 'one', { command: ['sleep', '60'] })
  const service = await feedWorld({ ports: made.ports, limits: { recheck: 20 } })
  onTestFinished(() => service.close(AbortSignal.abort()))
  let hungUp = 0
  const { exec } = made.engine
  made.engine.exec = async (...given) => {
    const session = await exec(...given)
    return {
      ...session,
      hangUp() {
        hungUp += 1
        return session.hangUp()
      },
    }
  }
  return { ...made, service, id, hungUp: () => hungUp }
}

const words = (...cmd: string[]) => cmd.map((word) => `cmd=${encodeURIComponent(word)}`).join('&')
const stdin = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text)])
const resize = (text: string) => Buffer.concat([Buffer.from([4]), Buffer.from(text)])

/** Returns all messages as `channel text`, then the close code. */
async function said({ ended, messages }: OpenFeed) {
  const { code } = await ended
  const texts = messages.map((message) => {
    const [channel, ...rest] = message as Buffer
    return `${channel} ${Buffer.from(rest)}`
  })
  return [...texts, code]
}

const exitCode = (feed: OpenFeed) => {
  const status = JSON.parse(String((feed.messages.at(-1) as Buffer).subarray(1)))
  return status.details?.causes[0] ?? status.status
}

test('101: sends the output of both streams and the exit status', async () => {
  const { service, id, hungUp } = await execWorld()
  const feed = await service.open(`/ws/exec/${id}?${words('sh', '-c', 'echo a; echo b >&2')}`)
  expect(await said(feed)).toEqual(['1 a\n', '2 b\n', '3 {"status":"Success"}', 1000])
  const failing = await service.open(`/ws/exec/one?${words('sh', '-c', 'exit 7')}`, 'operator')
  await failing.ended
  expect(exitCode(failing)).toEqual({ reason: 'ExitCode', message: '7' })
  expect(hungUp()).toBe(0)
})

test('101: accepts input, its end and a terminal size, and starts a shell by default', async () => {
  const { service } = await execWorld()
  const cat = await service.open(`/ws/exec/one?${words('cat')}`)
  cat.ws.send(stdin('hello'))
  cat.ws.send(Buffer.alloc(0))
  cat.ws.send(Buffer.from([255, 1]))
  cat.ws.send(Buffer.from([255, 0]))
  expect(await said(cat)).toEqual(['1 hello', '3 {"status":"Success"}', 1000])
  const shell = await service.open('/ws/exec/one?tty=true&cols=100&rows=30&user=me&workdir=/tmp')
  shell.ws.send(stdin('stty size\nid\npwd\n'))
  shell.ws.send(resize('{"Width":120,"Height":40}'))
  shell.ws.send(stdin('stty size\nexit 3\n'))
  expect((await said(shell)).slice(0, 4)).toEqual([
    '1 30 100\r\n',
    '1 me\r\n',
    '1 /tmp\r\n',
    '1 40 120\r\n',
  ])
  expect(exitCode(shell)).toEqual({ reason: 'ExitCode', message: '3' })
})

test('ends the commands of a container that stops, with a status', async () => {
  const { service, id, engine } = await execWorld()
  const feeds = [await service.open('/ws/exec/one'), await service.open('/ws/exec/one')]
  await engine.act(id, { kind: 'kill' })
  for (const feed of feeds) {
    expect((await feed.ended).code).toBe(1000)
    expect(exitCode(feed)).toEqual({ reason: 'ExitCode', message: '137' })
  }
})

test('terminates the command when its client disconnects in any way', async () => {
  const { service, hungUp, ports } = await execWorld()
  const open = () => service.open(`/ws/exec/one?${words('sleep', '60')}`)
  ;(await open()).ws.close()
  await expect.poll(hungUp).toBe(1)
  ;(await open()).ws.terminate()
  await expect.poll(hungUp).toBe(2)
  const account = present(await ports.accounts.findByUsername('admin'))
  const feed = await open()
  await ports.accounts.replace({ ...account, disabled: true })
  expect(await feed.ended).toMatchObject({ code: 1008 })
  await expect.poll(hungUp).toBe(3)
  await ports.background.settled()
})

test('terminates the command of a caller who may no longer enter the container', async () => {
  const { service, engine, ports, hungUp } = await execWorld()
  const own = [...engine.state.containers.values()].find(({ name }) => name === 'one')
  const open = async (hostConfig: object, as: TestCaller) => {
    present(own).body.HostConfig = hostConfig
    return service.open(`/ws/exec/one?${words('sleep', '60')}`, as)
  }
  const change = async (username: string, role: string) => {
    const account = present(await ports.accounts.findByUsername(username))
    await ports.accounts.replace({ ...account, role })
  }
  const plain = await open({}, { username: 'pia', role: 'admin' })
  const host = await open({ PidMode: 'host' }, { username: 'ada', role: 'admin' })
  await change('ada', 'operator')
  expect(await host.ended).toMatchObject({ code: 1008 })
  await expect.poll(hungUp).toBe(1)

  const listed = { 'stacks.enterable_binds': ['/srv/media'] }
  await ports.settings.save(listed)
  const media = await open({ Binds: ['/srv/media:/media'] }, 'operator')
  await ports.settings.save({ 'stacks.enterable_binds': [] })
  expect(await media.ended).toMatchObject({ code: 1008 })
  await expect.poll(hungUp).toBe(2)
  expect(plain.ws.readyState).toBe(1)
})

test('a command that outlives its client is recorded in the audit log and as an event', async () => {
  const { service, id, engine, ports } = await execWorld()
  const { exec } = engine
  engine.exec = async (...given) => ({
    ...(await exec(...given)),
    hangUp: async () => ['17 nohup'],
  })
  const events = await service.open('/ws/events', 'viewer')
  const feed = await service.open(`/ws/exec/one?${words('cat')}`, 'operator')
  feed.ws.terminate()
  expect(await events.json()).toMatchObject({
    kind: 'container.exec.outlive',
    host_id: 'local',
    by: null,
    subject: { kind: 'container', id },
    details: { user: 'operator', processes: '17 nohup' },
  })
  const { rows } = await ports.audit.list({ action: 'containers.exec', limit: 10 })
  expect(rows).toMatchObject([{ actor: 'service', hosts: ['local'] }])
})

test('reports a command on a lost host after three seconds and terminates it after the reconnection', async () => {
  const { service, id, engine, ports } = await execWorld()
  const { exec } = engine
  let isLost = true
  let tries = 0
  engine.exec = async (...given) => ({
    ...(await exec(...given)),
    async hangUp() {
      tries += 1
      if (isLost) throw internalError('host far: its agent is offline')
      return []
    },
  })
  const events = await service.open('/ws/events', 'viewer')
  const feed = await service.open(`/ws/exec/${id}?${words('cat')}`, 'operator')
  feed.ws.terminate()
  const advanceUntil = (wanted: () => unknown, step: number) =>
    expect
      .poll(() => {
        ports.clock.advance(step)
        return wanted()
      })
      .toBeTruthy()
  await advanceUntil(() => tries > 2, 300)
  await advanceUntil(() => events.messages.length > 0, 300)
  expect(await events.json()).toMatchObject({
    kind: 'container.exec.outlive',
    subject: { kind: 'container', id },
    details: { processes: 'unknown: the command could not be terminated' },
  })
  isLost = false
  let isOver = false
  const settling = ports.background.settled().then(() => {
    isOver = true
  })
  await advanceUntil(() => isOver, 2_000)
  await settling
  expect(ports.log.lines.map(({ message }) => message)).toContain(
    'a command was terminated after the host reconnected',
  )
})

test('terminates a command when its host is back after hours, and gives up on one that answers', async () => {
  const { service, id, engine, ports } = await execWorld()
  const { exec } = engine
  let tries = 0
  let isStuck = true
  engine.exec = async (...given) => ({
    ...(await exec(...given)),
    async hangUp() {
      tries += 1
      if (engine.offline || isStuck) throw engine.offline ?? internalError('not in time')
      return []
    },
  })
  const cut = async () => {
    const feed = await service.open(`/ws/exec/${id}?${words('cat')}`, 'operator')
    tries = 0
    feed.ws.terminate()
    await expect.poll(() => tries).toBe(1)
    let isOver = false
    const settled = ports.background.settled().then(() => {
      isOver = true
    })
    return { isOver: () => isOver, settled }
  }
  const pass = async (milliseconds: number, step = 15_000) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      ports.clock.advance(step)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const lost = await cut()
  engine.offline = internalError('host far: its agent is offline')
  await pass(6 * 60 * 60 * 1000)
  expect([lost.isOver(), tries]).toEqual([false, expect.toSatisfy((all) => all > 100)])
  isStuck = false
  engine.offline = undefined
  await pass(30_000)
  await lost.settled
  isStuck = true
  const stuck = await cut()
  await pass(60_000)
  expect(stuck.isOver()).toBe(false)
  await pass(120_000)
  await stuck.settled
  const stopped = await cut()
  engine.offline = internalError('host far: its agent is offline')
  await pass(300_000)
  expect(stopped.isOver()).toBe(false)
  ports.background.stop()
  await stopped.settled
})

test('terminates a command after twelve hours', async () => {
  const { service, hungUp, ports } = await execWorld()
  const feed = await service.open(`/ws/exec/one?${words('sleep', '60')}`)
  ports.clock.advance(12 * 60 * 60 * 1000 - 1)
  feed.ws.send(resize('{"Width":1,"Height":1}'))
  ports.clock.advance(1)
  expect((await said(feed)).join()).toMatch(/^3 .*"reason":"Timeout".*,1000$/)
  await expect.poll(hungUp).toBe(1)
})

test('1008: invalid messages', async () => {
  const { service, hungUp } = await execWorld()
  const bad = ['text', Buffer.from([1, 65]), Buffer.from([9]), resize('{}'), resize('nothing')]
  for (const message of [...bad, resize('null'), resize('{"Width":-1,"Height":1e9}')]) {
    const feed = await service.open(`/ws/exec/one?${words('sleep', '60')}`)
    feed.ws.send(message)
    expect((await feed.ended).code).toBe(1008)
  }
  await expect.poll(hungUp).toBe(7)
})

test('400, 401, 403, 404, 409: rejects invalid requests before the upgrade', async () => {
  const { service, id, engine } = await execWorld()
  const status = (path: string, as: Parameters<typeof service.open>[1] = 'operator') =>
    service.open(path, as).then(
      () => 101,
      (error) => error.status,
    )
  for (const query of [
    'tty=yes',
    'cols=0',
    'cols=10000',
    'rows=-1',
    'workdir=tmp',
    'cmd=',
    'cmd=a%00b',
    'user=',
    'user=a%20b',
    'env=A',
    Array.from({ length: 257 }, () => 'cmd=a').join('&'),
  ]) {
    expect([query, await status(`/ws/exec/${id}?${query}`)]).toEqual([query, 400])
  }
  await expect(service.open(`/ws/exec/${id}?workdir=tmp`)).rejects.toThrow(
    'workdir: must be an absolute path',
  )
  expect(await status(`/ws/exec/${id}`, { token: 'none' })).toBe(401)
  expect(await status(`/ws/exec/${id}`, 'viewer')).toBe(403)
  expect(await status('/ws/exec/none')).toBe(404)
  expect(await status(`/ws/exec/${id}?host=none`)).toBe(404)
  await engine.act(id, { kind: 'stop' })
  expect(await status(`/ws/exec/${id}`)).toBe(409)
})
