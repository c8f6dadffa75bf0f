import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { fillDisk } from '../harness/full-disk.ts'
import {
  type Ask,
  askOf,
  followedDeployments,
  followFolder,
  makeGitSource,
} from '../harness/git/git-source.ts'
import { startGitServer } from '../harness/git/https-server.ts'
import { makeRepository } from '../harness/git/repository.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

// The store is on another disk, so that it is recorded what failed.
const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
const data = present(place.env.SERVICE_DATA_DIR)
const name = unique('full-source')
/** Bytes that are enough to ask a source, and not to fetch the large file. */
const enoughToLook = 64 * 1024
const large = 1024 * 1024
let ask: Ask

beforeAll(async () => {
  mkdirSync(data)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', data])
  if (status !== 0) throw new Error(`mount: ${stderr}`)
  const running = await startIn(place)
  ask = askOf({ running, token: await setUpAdmin(place, running) })
})

afterAll(async () => {
  for (const { child, ended } of place.processes) {
    child.kill('SIGKILL')
    await ended
  }
  spawnSync('umount', ['-l', data])
  await place.remove()
  await removeFromEngine(name)
})

const composeOf = (greeting: string) => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    network_mode: none
    environment:
      GREETING: ${greeting}
`

const container = () =>
  askDocker('inspect', '--format', '{{.Id}} {{.State.StartedAt}}', `${name}-web-1`)

test('a source on a full data disk fails by name and changes nothing, and is followed again afterwards', async () => {
  await ask('POST', '/stacks', { name, compose: composeOf('one') })
  const made = await ask('POST', `/stacks/${name}/deploy`, {})
  expect([made.status, made.error]).toEqual(['succeeded', null])
  const repository = makeRepository()
  const first = repository.commit({ 'shop/compose.yaml': composeOf('one') })
  await makeGitSource(ask, await startGitServer({ root: repository.root }))
  await followFolder(ask, name, 'shop')
  const path = `/stacks/${name}/source`
  await ask('POST', `${path}/sync`)
  const follows = (revision: string) =>
    until(
      () => ask('GET', path),
      ({ synced, is_waiting: waits, last_error: error }: Json) =>
        synced?.revision === revision && !waits && error === null,
    )
  await follows(first)
  const before = await container()
  const expectUnchanged = async () => {
    const { compose, source } = await ask('GET', `/stacks/${name}`)
    expect([compose, source.synced.revision]).toEqual([composeOf('one'), first])
    expect(await container()).toBe(before)
    expect(await followedDeployments(ask, name)).toEqual([])
  }
  const full = {
    reason: 'unreachable',
    message: expect.stringContaining('check that the disk of the data directory has space'),
  }

  const second = repository.commit({
    'shop/compose.yaml': composeOf('two'),
    'shop/large': randomBytes(large),
  })
  const ballast = fillDisk(data)
  const looked = await ask('POST', '/sources/estate/look')
  expect(looked).toMatchObject({ revision: first, last_error: full })
  expect(JSON.stringify(looked)).not.toContain(data)
  await expectUnchanged()

  truncateSync(ballast, statSync(ballast).size - enoughToLook)
  const isSeen = ({ revision }: Json) => revision === second
  const seen = await until(() => ask('POST', '/sources/estate/look'), isSeen)
  expect(seen.last_error).toBeNull()
  const failed = await until(
    () => ask('GET', path),
    ({ last_error: error }: Json) => error !== null,
  )
  expect(failed.last_error).toMatchObject({ ...full, next_at: expect.any(String) })
  expect(JSON.stringify(failed)).not.toContain(data)
  await expectUnchanged()

  rmSync(ballast)
  await ask('POST', `${path}/sync`)
  await follows(second)
  const isOver = (all: Json[]) => all.some(({ status }) => status !== 'running')
  const deployed = await until(() => followedDeployments(ask, name), isOver)
  expect(deployed).toMatchObject([
    { status: 'succeeded', error: null, source: { revision: second } },
  ])
  const greeting = await askDocker('exec', `${name}-web-1`, 'sh', '-c', 'echo $GREETING')
  expect(greeting).toBe('two')
})
