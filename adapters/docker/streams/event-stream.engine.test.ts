import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { EngineEvent } from '../../../functions/core/records/host-engine.ts'
import { cleanEngine } from '../../testing/contract/engine-clean.ts'
import { createStep, run, startContainer, step } from '../../testing/contract/engine-world.ts'
import { present } from '../../testing/present.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from '../transport/connect.ts'

/** Creates a container on the real Engine, and collects the Engine's events. */
async function collectEvents() {
  const transport = transportFrom(process.env)
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
  const project = `events-${randomBytes(4).toString('hex')}`
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    await cleanEngine(engine, project)
    await engine.close()
  })
  const events: EngineEvent[] = []
  const stream = engine.events(stop.signal)[Symbol.asyncIterator]()
  expect(await stream.next()).toEqual({ value: 'connected', done: false })
  const name = `${project}-one-1`
  const until = async (action: string) => {
    while (events.at(-1)?.kind !== `container.${action}`) {
      const { value } = await stream.next()
      if (typeof value === 'object' && value.subject.name === name) events.push(value)
    }
  }
  return { engine, project, name, events, until }
}

test('reports container events with the useful attributes and replays them', async () => {
  const { engine, project, name, events, until } = await collectEvents()
  await startContainer(engine, project, 'one', 'sleep 60')
  await until('start')
  await engine.act(name, { kind: 'kill', signal: 'KILL' })
  await until('die')
  expect(events.map(({ kind }) => kind)).toEqual(
    ['create', 'start', 'kill', 'die'].map((action) => `container.${action}`),
  )
  expect(events[2]?.details).toMatchObject({ signal: '9' })
  expect(events[3]).toMatchObject({
    subject: { kind: 'container', name },
    details: { image: 'busybox:latest', exit_code: 137, stack: project },
  })
  const { oldest, events: past } = await engine.pastEvents()
  expect(Date.parse(oldest ?? '')).toBeLessThanOrEqual(Date.parse(present(events[0]).time))
  expect(past.filter(({ subject }) => subject.name === name)).toEqual(events)
})

test('knows which containers their restart policy started', async () => {
  const { engine, project } = await collectEvents()
  const HostConfig = { NetworkMode: 'none', RestartPolicy: { Name: 'always' } }
  const create = createStep(project, 'loop', 'sleep 0.2', { HostConfig })
  const { id = '' } = await run(engine, create)
  await startContainer(engine, project, 'two', 'sleep 100')
  await run(engine, step({ action: 'start', kind: 'container', name: create.name }))
  const restarted = async () => {
    const own = await engine.projectContainers(project)
    const seen = await engine.restarted()
    return own.filter((one) => seen.has(one.id)).map((one) => one.id)
  }
  await expect.poll(restarted).toEqual([id])
})
