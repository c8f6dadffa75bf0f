import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import type { Project } from '../../project.ts'
import type { Step } from '../../step.ts'
import { changed, deploy, deployed, projectOf, shop } from '../../testing/plan-samples.ts'
import type { SimulatedHost } from '../../testing/simulated-state.ts'

const published = (port: string) => ({ ports: [{ target: 80, published: port, protocol: 'tcp' }] })
const fixed = (address: string) => ({ networks: { default: { ipv4_address: address } } })

/** Sets the host port on which a service's container was observed to listen. */
function listens(host: SimulatedHost, service: string, port: number): void {
  const container = present(host.containers.find((one) => one.service === service))
  container.ports = [{ private: 80, public: port, protocol: 'tcp', ip: '0.0.0.0' }]
}

/** Returns whether the start of one service's container waits for the stop of another's. */
function waits(steps: readonly Step[], start: string, stop: string): boolean {
  const [from] = steps.filter(({ action, service }) => action === 'start' && service === start)
  const [to] = steps.filter(({ action, service }) => action === 'stop' && service === stop)
  return present(from).after.includes(present(to).index)
}

function swap(before: Project, one: object, other: object) {
  const host = deployed(before)
  listens(host, 'db', 5001)
  listens(host, 'web', 5002)
  return deploy(host, changed(changed(before, 'db', one), 'web', other)).steps
}

test('starts a container after the stop of the one that held its host port', () => {
  const steps = swap(
    projectOf({ db: published('5001'), web: published('5002') }),
    published('5002'),
    published('5000-5001'),
  )
  expect([waits(steps, 'db', 'web'), waits(steps, 'web', 'db')]).toEqual([true, true])
})

test('starts a container after the stop of the one that held its address', () => {
  const before = projectOf({ db: fixed('10.0.0.2'), web: fixed('10.0.0.3') })
  const steps = swap(before, fixed('10.0.0.3'), fixed('10.0.0.2'))
  expect([waits(steps, 'db', 'web'), waits(steps, 'web', 'db')]).toEqual([true, true])
})

test('replaces containers in parallel if they share no port or address', () => {
  const before = projectOf({ db: published('5001'), web: published('5002') })
  const steps = swap(before, { user: '1' }, { user: '1' })
  expect([waits(steps, 'db', 'web'), waits(steps, 'web', 'db')]).toEqual([false, false])
})

test('starts a paused container and leaves the error to the Engine', () => {
  const host = deployed(shop)
  present(host.containers.find(({ service }) => service === 'web')).state = 'paused'
  const [step, ...rest] = deploy(host, shop).steps
  expect(step).toMatchObject({ action: 'start', name: 'shop-web-1', reason: 'paused' })
  expect(rest).toEqual([])
})

test('omits an absent optional dependency from the labels', () => {
  const optional = { condition: 'service_started', required: false } as const
  const project = projectOf({ web: { depends_on: { absent: optional } } })
  const plain = present(deployed(projectOf({ web: {} })).containers[0]).labels
  const [container] = deployed(project).containers
  expect(container?.labels['com.docker.compose.depends_on']).toBe('')
  expect(present(container).labels).toEqual(plain)
})
