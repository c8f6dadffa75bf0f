import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { Semaphore } from '../../functions/core/semaphore.ts'
import { gitCommands } from '../harness/git/git-commands.ts'
import {
  type Ask,
  askOf,
  followedDeployments,
  followFolder,
  makeGitSource,
  type Served,
} from '../harness/git/git-source.ts'
import { startGitServer } from '../harness/git/https-server.ts'
import { makeRepository } from '../harness/git/repository.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('estate')
const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
const stacks = Array.from({ length: 30 }, (_, at) => `${name}-${at}`)
/** Stacks that are made at once: a busy machine refuses more. */
const atOnce = new Semaphore(4)
let served: Served
let ask: Ask

/** Without a network: the Engine has addresses for about as many networks as there are stacks. */
const composeOf = (greeting: string) => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    network_mode: none
    environment:
      GREETING: ${greeting}
`

const folderOf = (stack: string) => `apps/${stack}`

/** Returns the files of the repository: those stacks greet otherwise that have an entry. */
const filesOf = (greetings: Record<string, string> = {}) =>
  Object.fromEntries(
    stacks.map((stack) => [
      `${folderOf(stack)}/compose.yaml`,
      composeOf(greetings[stack] ?? 'nothing'),
    ]),
  )

beforeAll(async () => {
  const running = await startIn(place)
  served = { running, token: await setUpAdmin(place, running) }
  ask = askOf(served)
  const make = async (stack: string) => {
    await ask('POST', '/stacks', { name: stack, compose: composeOf('nothing') })
    const deployed = await ask('POST', `/stacks/${stack}/deploy`, {})
    expect([stack, deployed.status, deployed.error]).toEqual([stack, 'succeeded', null])
  }
  await Promise.all(stacks.map((stack) => atOnce.run(() => make(stack))))
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(name)
})

/** Returns stack → the ID of its container, and when that started. */
async function containers(): Promise<Map<string, string>> {
  const format = '{{.Id}} {{.State.StartedAt}}'
  const names = stacks.map((stack) => `${stack}-web-1`)
  const lines = (await askDocker('inspect', '--format', format, ...names)).split('\n')
  return new Map(stacks.map((stack, at) => [stack, present(lines[at])]))
}

/** Returns stack → the number of its deployments. */
async function deployments(): Promise<Map<string, number>> {
  const counts = stacks.map((stack) =>
    atOnce.run(async () => {
      const all = await ask('GET', `/stacks/${stack}/deployments`)
      return [stack, all.length as number] as const
    }),
  )
  return new Map(await Promise.all(counts))
}

/** Returns the stacks for which two maps differ. */
const changedIn = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>) =>
  stacks.filter((stack) => before.get(stack) !== after.get(stack))

test('a push to one of 30 folders is one deployment, one look and two fetches: by a hook, then by the schedule', async () => {
  const repository = makeRepository()
  const first = repository.commit(filesOf())
  const commands = gitCommands()
  const server = await startGitServer({ root: repository.root, instead: commands.instead })
  const callHook = await makeGitSource(ask, server)
  const bind = (stack: string) => followFolder(ask, stack, folderOf(stack))
  await Promise.all(stacks.map((stack) => atOnce.run(() => bind(stack))))
  const [hooked, looked] = [present(stacks[7]), present(stacks[21])]
  // One sync reads the source for all stacks that follow it.
  await ask('POST', `/stacks/${hooked}/source/sync`)
  for (const stack of stacks) {
    const isSynced = ({ synced, is_waiting: waits }: Json) => synced !== null && !waits
    const source = await until(() => ask('GET', `/stacks/${stack}/source`), isSynced)
    expect([stack, source.synced.revision, source.last_error]).toEqual([stack, first, null])
  }
  const atFirst = await deployments()
  expect([...atFirst.values()]).toEqual(stacks.map(() => 1))

  const greetings: Record<string, string> = {}
  for (const [trigger, stack, begin] of [
    ['hook', hooked, () => callHook(served.running)],
    // A source that is saved with another period is due at once, and then in an hour.
    ['look', looked, () => ask('PUT', '/sources/estate', { look_every_seconds: 3600 })],
  ] as const) {
    const [before, counted] = [await containers(), await deployments()]
    commands.seen.length = 0
    greetings[stack] = trigger
    const pushed = repository.commit(filesOf(greetings))
    await begin()
    const isOver = (all: { status: string }[]) => all.some(({ status }) => status !== 'running')
    const followed = await until(() => followedDeployments(ask, stack), isOver)
    expect(followed).toMatchObject([
      { status: 'succeeded', error: null, source: { source: 'estate', trigger, revision: pushed } },
    ])
    expect(await askDocker('exec', `${stack}-web-1`, 'sh', '-c', 'echo $GREETING')).toBe(trigger)
    expect(changedIn(before, await containers())).toEqual([stack])
    expect(changedIn(counted, await deployments())).toEqual([stack])
    const fetches = commands.seen.filter((command) => command === 'fetch')
    expect(commands.seen.toSorted()).toEqual([...fetches, 'ls-refs'])
    expect([1, 2]).toContain(fetches.length)
  }
  const inAll = await deployments()
  expect(changedIn(atFirst, inAll)).toEqual([hooked, looked])
  expect([inAll.get(hooked), inAll.get(looked)]).toEqual([2, 2])
})
