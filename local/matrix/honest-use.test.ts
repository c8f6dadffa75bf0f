import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { packed } from '../../adapters/testing/tar.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import runJob from '../../functions/backup-jobs/run.ts'
import restore from '../../functions/backup-runs/restore.ts'
import getArchive from '../../functions/containers/archive/get.ts'
import putArchive from '../../functions/containers/archive/update.ts'
import logs from '../../functions/containers/logs.ts'
import restart from '../../functions/containers/restart.ts'
import fillLists from '../../functions/settings/fill-lists.ts'
import deploy from '../../functions/stacks/deploy.ts'
import restartStack from '../../functions/stacks/restart.ts'
import { runJob as backUp, backupWorld, givenJob, givenVolume } from '../harness/backups.ts'
import { type CallResult, call } from '../harness/call.ts'
import { type FeedWorld, feedWorld, Refused } from '../harness/feeds.ts'
import { forgetOwners, givenContainer, givenStack } from '../harness/world.ts'
import { type End, endsOf, type Honest, honestTable, rows, type Use } from './honest-rows.ts'

const as = 'operator'

const labelsOf = (project: string): Record<string, string> => ({
  'com.docker.compose.project': project,
})

/** A host with everything of a row, and a backup of it that an admin made. */
async function given(one: Honest) {
  const here = await backupWorld()
  for (const name of [...(one.networks ?? []), ...(one.volumes ?? [])]) {
    const [project = '', key] = name.split('_')
    const found = { name, labels: key === undefined ? {} : labelsOf(project) }
    if (one.networks?.includes(name))
      here.engine.state.networks.set(name, { id: `id-of-${name}`, ...found })
    else here.engine.state.volumes.set(name, found)
  }
  for (const name of one.volumes ?? []) await givenVolume(here, name, 'data')
  for (const [name, compose] of Object.entries(one.stacks ?? {})) {
    await givenStack(here, name, { compose })
  }
  if (!one.stacks) {
    for (const name of one.containers) {
      await givenContainer(here, name, { hostConfig: one.hostConfig ?? {}, labels: labelsOf(name) })
    }
  }
  const sources = one.stacks
    ? Object.keys(one.stacks).map((name) => ({ kind: 'stack', name }))
    : one.volumes?.map((name) => ({ kind: 'volume', name }))
  const job = await givenJob(here, { sources })
  const { id: run } = await backUp(here, job)
  const feeds = await feedWorld({ ports: here.ports })
  onTestFinished(() => feeds.close(AbortSignal.abort()))
  return { ...here, feeds, sources, job, run }
}

type Given = Awaited<ReturnType<typeof given>>

/** The data of a version that recorded no owners, at the first start of this one. */
async function upgrade({ ports, job, run }: Given, { stacks = {} }: Honest) {
  for (const name of Object.keys(stacks)) await forgetOwners({ ports }, name)
  const { volumes: _, ...oldJob } = present(await ports.backupJobs.find(job))
  await ports.backupJobs.replace(oldJob)
  const { volumes: __, kinds: ___, ...oldRun } = present(await ports.backupRuns.find(run))
  await ports.backupRuns.save(oldRun)
  await fillLists.with(ports)()
}

type Answer = Pick<CallResult, 'status' | 'json'>

const failed = (error: string | null): Answer => ({ status: 500, json: { error: `${error}` } })

/** Waits for a run that was started. */
async function endOf({ ports }: Given, started: Answer): Promise<Answer> {
  if (started.status !== 202) return started
  await ports.background.settled()
  const { status, error } = present(await ports.backupRuns.find(started.json.id))
  return status === 'succeeded' ? started : failed(error)
}

async function exec(feeds: FeedWorld, id: string): Promise<Answer> {
  try {
    const opened = await feeds.open(`/ws/exec/${id}?cmd=true`, as)
    await opened.ended
    return { status: 101, json: {} }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { status: error.status, json: JSON.parse(error.body) }
  }
}

/** Each use of everything in a row, as requests. */
const requests: Record<Use, (here: Given, one: Honest) => (() => Promise<Answer>)[]> = {
  restart: ({ ports }, { stacks, containers }) =>
    stacks
      ? Object.keys(stacks).map(
          (name) => () => call(restartStack, { ports, as, path: { name }, body: {} }),
        )
      : containers.map((id) => () => call(restart, { ports, as, path: { id } })),
  logs: ({ ports }, { containers }) =>
    containers.map((id) => () => call(logs, { ports, as, path: { id } })),
  exec: ({ feeds }, { containers }) => containers.map((id) => () => exec(feeds, id)),
  'copy out': ({ ports }, { containers }) =>
    containers.map(
      (id) => () => call(getArchive, { ports, as, path: { id }, query: { path: '/' } }),
    ),
  'copy in': ({ ports }, { containers }) =>
    containers.map((id) => async () => {
      const data = (await packed({ name: 'a', text: 'x' })).toString('base64')
      return call(putArchive, { ports, as, path: { id }, query: { path: '/' }, body: { data } })
    }),
  backup: (here) => [
    async () => {
      const { ports, sources } = here
      const body = { name: 'mine', sources, target: { kind: 'local', path: 'mine' } }
      const made = await call(createJob, { ports, as, body })
      if (made.status !== 201) return made
      return endOf(here, await call(runJob, { ports, as, path: { id: made.json.id } }))
    },
  ],
  restore: (here) => [
    async () => {
      const { ports, run: id } = here
      const body = { overwrite: true }
      return endOf(here, await call(restore, { ports, as, path: { id }, body }))
    },
  ],
  deploy: ({ ports }, { stacks = {} }) =>
    Object.keys(stacks).map((name) => async () => {
      const answer = await call(deploy, { ports, as, path: { name }, body: {} })
      const { status, error } = answer.json
      return answer.status !== 200 || status === 'succeeded' ? answer : failed(error)
    }),
}

/** Returns how a use ends for everything in a row. A refusal is named by its setting. */
async function outcome(name: Use, here: Given, one: Honest): Promise<string> {
  const ends = new Set<string>()
  for (const ask of requests[name](here, one)) ends.add(nameOf(await ask()))
  return [...ends].join(', ')
}

function nameOf({ status, json }: Answer): string {
  if (status < 300) return 'allowed'
  const error: string = json.error
  const [, setting] = /or the setting (stacks\.\w+)/.exec(error) ?? []
  if (status !== 403) return `${status}: ${error}`
  if (error.includes('control of the host by')) return 'control'
  if (error.includes('this needs the permission stacks:privileged')) return 'always refused'
  return setting ?? error
}

const expectedName = (end: End) => (typeof end === 'string' ? end : end.setting)

const cases = rows.flatMap((one) =>
  (['fresh', 'upgraded'] as const).map((state) => ({ what: one.what, state, one })),
)

test.each(cases)('an operator and $what: $state', async ({ one, state }) => {
  const here = await given(one)
  if (state === 'upgraded') await upgrade(here, one)
  else await here.ports.settings.markListsFilled()
  const ends = Object.entries(endsOf(one[state])) as [Use, End][]
  const found: [Use, string][] = []
  for (const [name] of ends) found.push([name, await outcome(name, here, one)])
  expect(found).toEqual(ends.map(([name, end]) => [name, expectedName(end)]))
  // What a setting allows, it allows.
  for (const [name, end] of ends) {
    if (typeof end === 'string') continue
    await here.ports.settings.save({ [end.setting]: end.entries })
    expect([name, await outcome(name, here, one)]).toEqual([name, 'allowed'])
  }
})

test.each(rows.filter(({ volumes }) => volumes))(
  'a backup job from before the upgrade goes on: $what',
  async (one) => {
    const here = await given(one)
    await upgrade(here, one)
    const { ports, job: id } = here
    const ended = await endOf(here, await call(runJob, { ports, as, path: { id } }))
    expect(nameOf(ended)).toBe('allowed')
    const { contents } = present(await ports.backupRuns.find(ended.json.id))
    expect(contents.map(({ source }) => source)).toEqual(expect.arrayContaining(one.volumes ?? []))
  },
)

test('docs/upgrading.md has the table of what operators need something for', () => {
  const text = readFileSync(new URL('../../docs/upgrading.md', import.meta.url), 'utf8')
  expect(text).toContain(honestTable())
})
