import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../testing/docker.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from '../transport/connect.ts'

const owner = randomBytes(4).toString('hex')
const volume = `sockets-${owner}`
const root = mkdtempSync('/tmp/sockets-')
const transport = transportFrom(process.env)
const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
const signal = new AbortController().signal
const servers = ['app.sock', 'only/run.sock'].map((path) => ({ path, server: createServer() }))

beforeAll(async () => {
  mkdirSync(join(root, 'only'))
  writeFileSync(join(root, 'file'), '')
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const { path, server } of servers) {
    server.listen(join(root, path))
    await once(server, 'listening')
  }
  const options = ['--opt', 'type=none', '--opt', 'o=bind', '--opt', `device=${root}`]
  docker('volume', 'create', ...options, volume)
})
afterAll(async () => {
  for (const { server } of servers) server.close()
  docker('volume', 'rm', '-f', volume)
  await engine.close()
  rmSync(root, { recursive: true })
})

const found = { count: 2, paths: ['app.sock', 'only/run.sock'] }

test('finds the sockets of a volume and of a directory, which archives leave out', async () => {
  for (const place of [
    { kind: 'volume', name: volume },
    { kind: 'directory', path: root },
  ] as const) {
    expect(await engine.findSockets(place, owner, signal)).toEqual(found)
    let archive = ''
    for await (const chunk of engine.readArchive(place, owner, signal)) {
      archive += Buffer.from(chunk).toString('latin1')
    }
    expect(archive).toContain('data/pipe')
    expect(archive).not.toContain('app.sock')
  }
  expect(docker('ps', '-aq', '--filter', `label=container-stacks.owner=${owner}`)).toBe('')
})

test('404: a place that does not exist', async () => {
  const missing = { status: 404 }
  const volumeOf = { kind: 'volume', name: `${volume}-none` } as const
  await expect(engine.findSockets(volumeOf, owner, signal)).rejects.toMatchObject(missing)
  const directory = { kind: 'directory', path: `${root}/none` } as const
  await expect(engine.findSockets(directory, owner, signal)).rejects.toMatchObject(missing)
})
