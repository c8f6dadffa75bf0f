import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { atLeast } from '../../adapters/docker/transport/client.ts'
import { cleanEngine } from '../../adapters/testing/contract/engine-clean.ts'
import { startContainer } from '../../adapters/testing/contract/engine-world.ts'
import { present } from '../../adapters/testing/present.ts'
import { enrolHost, startAgent, untilHostStatus } from '../harness/agent.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { localEngine } from '../harness/engine.ts'
import { type OpenFeed, openFeed } from '../harness/feeds.ts'
import { freePort } from '../harness/free-port.ts'
import { paced } from '../harness/pace.ts'
import {
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

const engine = localEngine()
let place: Place
let service: Running
let token: string
let far: string

beforeAll(async () => {
  place = newPlace({ SERVICE_AGENT_PORT: String(await freePort()) })
  service = await startIn(place)
  token = await setUpAdmin(place, service)
  const host = await enrolHost(place, service, token, { name: 'far' })
  startAgent(place, host.directory)
  await untilHostStatus(service, token, host.id, 'online')
  far = host.id
})

afterAll(async () => {
  await Promise.all([place.remove(), engine.close()])
})

async function container(): Promise<string> {
  const project = `exec-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  return startContainer(engine, project, 'one', 'trap exit TERM; while :; do sleep 0.2; done')
}

const open = (name: string, cmd: string[], more = '') => {
  const query = cmd.map((word) => `cmd=${encodeURIComponent(word)}`).join('&')
  const url = service.feeds
  return openFeed(`${url}/api/v1/ws/exec/${name}?${query}${more}`, { token })
}

const bytesOf = ({ messages }: OpenFeed, channel: number) =>
  Buffer.concat(
    (messages as Buffer[]).filter(([at]) => at === channel).map((message) => message.subarray(1)),
  )

/** Returns the output on both streams and the exit code. */
async function finished(feed: OpenFeed) {
  expect((await feed.ended).code).toBe(1000)
  const status = JSON.parse(bytesOf(feed, 3).toString())
  const code = status.status === 'Success' ? 0 : Number(status.details.causes[0].message)
  return { out: bytesOf(feed, 1).toString(), err: bytesOf(feed, 2).toString(), code }
}

/** Returns the command lines in a container. */
async function processes(name: string): Promise<string> {
  return (await finished(await open(name, ['ps', '-o', 'args']))).out
}

const send = (feed: OpenFeed, channel: number, data: Uint8Array | string) =>
  feed.ws.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]))

const sha = (data: Buffer) => createHash('sha256').update(data).digest('hex')

test.each(['this host', 'the host of an agent'])(
  'on %s both streams, the exit code and ten megabytes each way arrive completely',
  async (where) => {
    const name = await container()
    const at = where === 'this host' ? '' : `&host=${far}`
    const both = await open(name, ['sh', '-c', 'echo "$0"; echo b >&2; exit 7', '$(id)'], at)
    expect(await finished(both)).toEqual({ out: '$(id)\n', err: 'b\n', code: 7 })
    const feed = await open(name, ['cat'], at)
    const sent = randomBytes(10 * 1024 * 1024)
    for (let from = 0; from < sent.length; from += 60_000) {
      send(feed, 0, sent.subarray(from, from + 60_000))
    }
    send(feed, 255, [0] as never)
    await feed.ended
    expect(sha(bytesOf(feed, 1))).toBe(sha(sent))
    const { apiVersion } = await engine.info()
    // Engines since 28 tell a program that does not exist from one that cannot run.
    const missing = atLeast(apiVersion, '1.47') ? 127 : 126
    expect((await finished(await open(name, ['no-such-program'], at))).code).toBe(missing)
  },
)

test.each(['this host', 'the host of an agent'])(
  'on %s a terminal has the requested size',
  async (where) => {
    const name = await container()
    const at = where === 'this host' ? '' : `&host=${far}`
    const feed = await open(name, ['sh'], `&tty=true&cols=100&rows=30${at}`)
    const says = (text: string) =>
      expect.poll(() => bytesOf(feed, 1).toString(), { timeout: paced(60_000) }).toContain(text)
    await until(
      async () => {
        send(feed, 0, 'stty size\n')
        return bytesOf(feed, 1).toString()
      },
      (out) => out.includes('30 100\r\n'),
    )
    send(feed, 4, '{"Width":120,"Height":40}')
    send(feed, 0, 'stty size; sleep 100\n')
    await says('40 120\r\n')
    // Ctrl+C may come before `sleep` has the terminal, and input may be lost while the shell takes
    // it back.
    const exited = async () => {
      send(feed, 0, '\u0003')
      send(feed, 0, 'exit 3\n')
      return feed.ws.readyState !== feed.ws.OPEN
    }
    await until(exited, (isOver) => isOver).catch((error) => {
      throw new Error(`${error.message} ${JSON.stringify(bytesOf(feed, 1).toString().slice(-400))}`)
    })
    expect((await finished(feed)).code).toBe(3)
  },
)

test.each(['this host', 'the host of an agent'])(
  'on %s a lost client leaves no process, and a process that left its group is named',
  async (where) => {
    const name = await container()
    const at = where === 'this host' ? '' : `&host=${far}`
    const feeds = [
      await open(name, ['sleep', '1000'], at),
      await open(name, ['sh'], `&tty=true${at}`),
      await open(name, ['sh'], at),
      await open(name, ['sh', '-c', 'sleep 1001'], `&tty=true${at}`),
      await open(name, ['sh', '-c', 'trap "" HUP; while :; do echo flood; sleep 0.01; done'], at),
    ]
    await until(
      () => processes(name),
      (all) => ['sleep 1000', 'sleep 1001', 'echo flood'].every((one) => all.includes(one)),
    )
    for (const feed of feeds) {
      const { _socket: socket } = feed.ws as unknown as { _socket: Socket }
      socket.resetAndDestroy()
    }
    await until(
      () => processes(name),
      (all) => !/sleep 100|flood|^sh$/m.test(all),
    )
    const left = await open(name, ['sh', '-c', 'setsid sleep 77 >/dev/null & sleep 78'], at)
    await until(
      () => processes(name),
      (all) => all.includes('sleep 77') && all.includes('sleep 78'),
    )
    left.ws.terminate()
    const named = await until(
      async () => service.lines.find((line) => line.includes('outlived its client')),
      (line) => line !== undefined,
    )
    expect(JSON.parse(present(named)).processes).toEqual([expect.stringMatching(/^\d+ sleep$/)])
    expect(await processes(name)).not.toContain('sleep 78')
    service.lines.length = 0
  },
)

test('keeps twenty concurrent commands apart', async () => {
  const name = await container()
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  const feeds = await Promise.all(
    numbers.map((number) => open(name, ['sh', '-c', `cat; echo ${number}; exit ${number}`])),
  )
  for (const [index, feed] of feeds.entries()) {
    send(feed, 0, `in ${index}\n`)
    send(feed, 255, [0] as never)
  }
  const all = await Promise.all(feeds.map(finished))
  expect(all).toEqual(numbers.map((n) => ({ out: `in ${n}\n${n}\n`, err: '', code: n })))
})

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** Runs the client in a pseudo terminal, then `stty -a`. */
function inTerminal(words: string) {
  const line = `sh -c 'echo "pid $$ on $(tty | cut -c 6-)"; exec node ${program} ${words}'; echo "code $?"; stty -a`
  const child = spawn(...boundToParent('script', ['-qec', line, '/dev/null']), {
    env: { ...process.env, HOME: place.directory, CLI_SERVER: service.url, CLI_TOKEN: token },
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(out)))
  const pid = () => Number(/pid (\d+)/.exec(out)?.[1])
  const resize = (columns: number, rows: number) => {
    const device = `/dev/${/ on (\S+)/.exec(out)?.[1]}`
    execFileSync('stty', ['-F', device, 'cols', `${columns}`, 'rows', `${rows}`])
  }
  return { child, out: () => out, pid, resize, ended }
}

test('the client passes a terminal through and restores it', async () => {
  const name = await container()
  const { child, out, ended } = inTerminal(`containers exec ${name} sh`)
  await expect.poll(out, { timeout: paced(60_000) }).toContain('# ')
  child.stdin.write('tty; sleep 100\r')
  await expect.poll(out, { timeout: paced(60_000) }).toContain('/dev/pts/')
  child.stdin.write('\u0003')
  child.stdin.write('echo still here\r')
  await expect.poll(out, { timeout: paced(60_000) }).toContain('\nstill here')
  child.stdin.write('exit 9\r')
  const all = await ended
  expect(all).toContain('code 9')
  expect(all).toMatch(/[^-]icanon[\s\S]*[^-]echo /)
})

test('the terminal in the container follows the size of the client’s', async () => {
  const name = await container()
  const { child, out, resize, ended } = inTerminal(`containers exec ${name} sh`)
  await expect.poll(out, { timeout: paced(60_000) }).toContain('# ')
  for (const [columns, rows] of [
    [133, 47],
    [61, 19],
  ] as const) {
    resize(columns, rows)
    const ask = () => {
      child.stdin.write('stty size\r')
      return out()
    }
    await expect
      .poll(ask, { timeout: paced(60_000), interval: 300 })
      .toContain(`\n${rows} ${columns}\r`)
  }
  child.stdin.write('exit 4\r')
  expect(await ended).toMatch(/code 4[\s\S]*[^-]icanon[\s\S]*[^-]echo /)
})

test('a service that shuts down terminates its commands', async () => {
  const name = await container()
  place.env.SERVICE_AGENT_PORT = '0'
  const ending = await startIn(place)
  const url = ending.feeds
  const feed = await openFeed(`${url}/api/v1/ws/exec/${name}?cmd=sleep&cmd=1002`, { token })
  const commands = async () => (await outputOf(name)).includes('sleep 1002')
  await until(commands, (runs) => runs)
  ending.child.kill('SIGTERM')
  expect((await feed.ended).code).toBe(1001)
  expect(await ending.ended).toBe(0)
  expect(await commands()).toBe(false)
})

/** Returns the command lines in a container, directly from the Engine. */
async function outputOf(name: string): Promise<string> {
  const command = ['ps', '-o', 'args']
  const { output } = await engine.exec(name, { command, tty: false }, new AbortController().signal)
  let text = ''
  for await (const { data } of output) text += Buffer.from(data)
  return text
}

test('the client restores the terminal even if it is killed or the service goes away', async () => {
  const name = await container()
  const { out, ended } = inTerminal(`containers exec ${name} sh`)
  await expect.poll(out, { timeout: paced(60_000) }).toContain('# ')
  const other = inTerminal(`containers exec ${name} sh`)
  await expect.poll(other.out, { timeout: paced(60_000) }).toContain('# ')
  process.kill(other.pid(), 'SIGTERM')
  expect(await other.ended).toMatch(/code 143[\s\S]*[^-]icanon[\s\S]*[^-]echo /)
  service.child.kill('SIGKILL')
  expect(await ended).toMatch(/code 1\b[\s\S]*[^-]icanon[\s\S]*[^-]echo /)
})
