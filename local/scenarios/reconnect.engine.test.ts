import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { cleanEngine } from '../../adapters/testing/contract/engine-clean.ts'
import { startContainer } from '../../adapters/testing/contract/engine-world.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { localEngine } from '../harness/engine.ts'
import { freePort } from '../harness/free-port.ts'
import { newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'

const engine = localEngine()
afterAll(() => engine.close())

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

test('followers continue after a service is killed, without gaps or duplicates', async () => {
  const project = `reconnect-${randomBytes(4).toString('hex')}`
  onTestFinished(() => cleanEngine(engine, project))
  const script = 'i=0; while :; do i=$((i+1)); echo $i; usleep 50000; done'
  const name = await startContainer(engine, project, 'one', script)
  const other = await startContainer(engine, project, 'two', 'sleep 1000')
  const first = await startContainer(engine, project, 'three', 'sleep 1000')
  const place = newPlace({ SERVICE_PORT: String(await freePort()) })
  onTestFinished(() => place.remove())
  let service = await startIn(place)
  const token = await setUpAdmin(place, service)
  const client = (...words: string[]) => {
    const env = {
      ...process.env,
      HOME: place.directory,
      CLI_SERVER: service.url,
      CLI_TOKEN: token,
    }
    const child = spawn(...boundToParent(process.execPath, [program, ...words]), { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    return () => out.split('\n').slice(0, -1)
  }
  const log = client('containers', 'logs', name, '-f', '--tail', '1')
  const events = client('events', '--output', 'json')
  const kindsOf = (name: string) =>
    events()
      .map((line) => JSON.parse(line))
      .filter(({ subject, kind }) => subject?.name === name && kind !== 'container.kill')
      .map(({ kind }) => kind)
  const act = async (name: string) => {
    await engine.act(name, { kind: 'kill' })
    await engine.act(name, { kind: 'start' })
  }
  const written = async () => log().length
  await until(written, (count) => count > 20)
  // Nothing but an event shows that a feed of events is open.
  await until(
    async () => {
      await act(first)
      return kindsOf(first)
    },
    (kinds) => kinds.includes('container.start'),
  )
  for (let round = 0; round < 2; round += 1) {
    service.child.kill('SIGKILL')
    await service.ended
    await act(other)
    service = await startIn(place)
    await act(other)
    const before = await written()
    await until(written, (count) => count > before + 20)
  }
  const wanted = Array.from({ length: 4 }, () => ['container.die', 'container.start']).flat()
  await until(
    async () => kindsOf(other),
    ({ length }) => length >= wanted.length,
  )
  expect(kindsOf(other)).toEqual(wanted)
  const lines = log()
  expect(lines).toEqual(lines.map((_, index) => String(Number(lines[0]) + index)))
})
