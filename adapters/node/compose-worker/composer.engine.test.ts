import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { Project } from '../../../functions/compose/project.ts'
import { composeInput } from '../../../functions/compose/testing/compose-input.ts'
import { plainOptions } from '../../../functions/compose/testing/plan-samples.ts'
import { Failure } from '../../../functions/core/errors.ts'
import { present } from '../../testing/present.ts'
import { workerComposer } from './composer.ts'

/** On a busy machine a question waits long for its worker. Only its CPU time may decide. */
const patient = { queued: 90_000, total: 90_000, busy: 90_000 }
const composer = workerComposer(patient)
afterAll(() => composer.close())

const input = (text: string) => composeInput({ 'compose.yaml': text }, { reach: 'host' })

const planOf = (project: Project) => ({
  project,
  snapshot: { project: project.name, containers: [], networks: [], volumes: [] },
  resolved: { networks: {}, volumes: {}, images: {} },
  options: plainOptions,
})

const childProcesses = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)

// Within the limits of size and number, but far more work than a load may take: each service
// extends the one before.
const slow = `services:\n  s0: {image: x}\n${Array.from({ length: 2500 }, (_, n) => `  s${n + 1}: {extends: s${n}, labels: [l${n}=1]}\n`).join('')}`

test('loads in a worker', async () => {
  const { project, warnings } = await composer.load(input('services: {app: {image: "x$TAG"}}'))
  expect(project.services).toEqual({
    app: { image: 'x', command: null, entrypoint: null, networks: { default: null } },
  })
  expect(warnings).toEqual(['The "TAG" variable is not set. Defaulting to a blank string.'])
})

test('explains a change in the worker, and refuses earlier files that take too long', async () => {
  const now = 'services: {app: {image: x, ports: ["80:80"]}}'
  const { project } = await composer.load(input(now))
  const explain = (before: string) =>
    composer.explain({
      before: input(before),
      files: { 'compose.yaml': now },
      project,
      containers: [],
      services: ['app'],
    })
  expect(await explain('services: {app: {image: x}}')).toEqual({ app: ['ports'] })
  await expect(explain(slow)).rejects.toMatchObject({ status: 422 })
})

test('422: an error keeps its class, status and message', async () => {
  const refusal = composer.load(input('services: {app: {image: x, ports: ["x"]}}'))
  await expect(refusal).rejects.toBeInstanceOf(Failure)
  await expect(refusal).rejects.toMatchObject({
    status: 422,
    message: 'compose.yaml:1:36: services.app.ports[0]: invalid container port: x',
  })
})

test('422: stops a load that takes too long; the next ones get a new worker', async () => {
  const hostile = composer.load(input(slow)).then(
    () => 'loaded',
    (failure: Failure) => `${failure.status} ${failure.message}`,
  )
  const honest = composer.load(input('services: {app: {image: x}}'))
  let turns = 0
  const turning = setInterval(() => (turns += 1), 1)
  expect(await hostile).toBe('422 compose.yaml took too long to read')
  clearInterval(turning)
  // The event loop was not blocked.
  expect(turns).toBeGreaterThan(10)
  expect(Object.keys((await honest).project.services)).toEqual(['app'])
})

test('422: a load that takes too much memory ends its worker only', async () => {
  await expect(composer.load(input(`a: ${'['.repeat(900_000)}`))).rejects.toMatchObject({
    status: 422,
  })
  await expect(composer.load(input('services: {app: {image: x}}'))).resolves.toBeDefined()
})

test('500: a worker killed from outside is not blamed on the file', async () => {
  const others = childProcesses()
  const own = workerComposer(patient)
  await own.load(input('services: {app: {image: x}}'))
  const killed = own
    .load(input(slow))
    .catch(({ status, reason, message }) => ({ status, reason, message }))
  const [worker] = childProcesses().filter((pid) => !others.includes(pid))
  process.kill(present(worker), 'SIGKILL')
  expect(await killed).toEqual({
    status: 500,
    reason: 'overloaded',
    message:
      'compose.yaml could not be read: its process was killed, by a person or because the machine ran out of memory',
  })
  const again = own.load(input(slow)).catch(({ message }) => message)
  expect(await again).toBe('compose.yaml took too long to read')
  await own.close()
})

test('500: a worker that gets no processor time is not blamed on the file', async () => {
  const others = childProcesses()
  const own = workerComposer({ ...patient, busy: 1000 })
  const file = input('services: {app: {image: x}}')
  await own.load(file)
  const [worker] = childProcesses().filter((pid) => !others.includes(pid))
  process.kill(present(worker), 'SIGSTOP')
  await expect(own.load(file)).rejects.toMatchObject({
    status: 500,
    reason: 'overloaded',
    message:
      'compose.yaml could not be read within 1 s, because the machine is busy: try again in a moment',
  })
  await expect(own.load(file)).resolves.toBeDefined()
  await own.close()
})

test('422: a plan that would need gigabytes at once ends its worker only', async () => {
  const { project } = await composer.load(input('services: {app: {image: x}}'))
  present(project.services.app).scale = 100_000_000
  const plan = composer.plan({ ...planOf(project), kind: 'deploy' })
  await expect(plan).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/compose.yaml (takes too much memory|took too long) to plan/),
  })
  present(project.services.app).scale = 2
  const { plan: made, prefetch } = await composer.plan({ ...planOf(project), kind: 'deploy' })
  expect(made.steps.filter(({ action }) => action === 'start')).toHaveLength(2)
  expect(prefetch.steps).toEqual([])
})

test('422: rejects a file that took too long at once for a minute', async () => {
  const own = workerComposer(patient)
  const text = `${slow}# again`
  await expect(own.load(input(text))).rejects.toMatchObject({ status: 422 })
  await own.load(input('services: {app: {image: x}}'))
  const before = childProcesses()
  const again = Array.from({ length: 50 }, () => own.load(input(text)).catch((error) => error))
  const messages = new Set((await Promise.all(again)).map(({ message }) => message))
  expect([...messages]).toEqual([
    'compose.yaml took too long to read less than a minute ago; change the file, or wait a minute',
  ])
  // Reading it once more would have cost the worker.
  await own.load(input('services: {app: {image: x}}'))
  expect(childProcesses()).toEqual(before)
  await own.close()
})

test('a caller waits for at most one hostile file of another caller', async () => {
  const own = workerComposer(patient)
  const attacker = own.onBehalfOf('attacker')
  let stopped = 0
  const hostile = Array.from({ length: 20 }, (_, index) =>
    attacker.load(input(`${slow}# ${index}`)).catch(() => {
      stopped += 1
    }),
  )
  const larger = `services: {app: {image: x}}\n# ${'x'.repeat(2 * slow.length)}`
  await own.onBehalfOf('other').load(input(larger))
  expect(stopped).toBeLessThanOrEqual(1)
  await own.close()
  await Promise.all(hostile)
})

test('handles many concurrent loads', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `app${index}`)
  const loads = await Promise.all(
    names.map((name) => composer.load(input(`services: {${name}: {image: x}}`))),
  )
  expect(loads.map(({ project }) => Object.keys(project.services)[0])).toEqual(names)
})

test('a small file does not wait behind large ones', async () => {
  const ended: string[] = []
  const loads = ['first', 'large', 'small'].map((name) => {
    const comment = `#${'x'.repeat(name === 'large' ? 100_000 : 1)}\n`
    return composer
      .load(input(`${comment}services: {app: {image: x}}`))
      .then(() => ended.push(name))
  })
  await Promise.all(loads)
  expect(ended).toEqual(['first', 'small', 'large'])
})

/** Starts a composer whose worker is stopped, so that its questions wait. */
async function stoppedComposer(options: Parameters<typeof workerComposer>[0]) {
  const others = childProcesses()
  const own = workerComposer({ busy: 90_000, ...options })
  await own.load(input('services: {app: {image: x}}'))
  const [worker] = childProcesses().filter((pid) => !others.includes(pid))
  process.kill(present(worker), 'SIGSTOP')
  const resume = () => process.kill(present(worker), 'SIGCONT')
  return { own, resume }
}

test('500: a load of a caller waits too long or the queue is full', async () => {
  const busy = workerComposer({ queued: 0, total: 0 })
  const caller = busy.onBehalfOf('ada')
  const first = caller.load(input('services: {app: {image: x}}')).catch(({ status }) => status)
  const tooLarge = caller.load(input(`#${'x'.repeat(33 * 1024 * 1024)}`))
  await expect(tooLarge).rejects.toMatchObject({ status: 500 })
  // The first question waits for its worker to start.
  expect(await first).toBe(500)
  await busy.close()
})

test('a load in the background waits while callers get 500', async () => {
  const { own, resume } = await stoppedComposer({ queued: 0 })
  const caller = own.onBehalfOf('ada')
  const current = caller.load(input('services: {a: {image: x}}'))
  const names = [own, caller.inBackground(), own.inBackground().inBackground()]
  const waiting = names.map((one, index) => one.load(input(`services: {b${index}: {image: x}}`)))
  const refused = caller.load(input('services: {c: {image: x}}'))
  await expect(refused).rejects.toMatchObject({ status: 500, reason: 'overloaded' })
  resume()
  const loaded = await Promise.all([current, ...waiting])
  expect(loaded.map(({ project }) => Object.keys(project.services)[0])).toEqual([
    ...['a', 'b0', 'b1', 'b2'],
  ])
  await own.close()
})

test('500: once the service stops, a load in the background waits no longer', async () => {
  const stopping = new AbortController()
  const { own } = await stoppedComposer({ queued: 0, stopping: stopping.signal })
  const current = own.load(input('services: {a: {image: x}}')).catch(({ message }) => message)
  const waiting = own.load(input('services: {b: {image: x}}'))
  stopping.abort()
  await expect(waiting).rejects.toMatchObject({ status: 500, reason: 'overloaded' })
  await own.close()
  expect(await current).toBe('the service is shutting down')
})

test('500: a closed composer rejects new and queued loads', async () => {
  const closing = workerComposer()
  const waiting = closing.load(input('services: {app: {image: x}}'))
  const refused = expect(waiting).rejects.toMatchObject({ status: 500 })
  await closing.close()
  await refused
  await expect(closing.load(input('services: {}'))).rejects.toMatchObject({ status: 500 })
})
