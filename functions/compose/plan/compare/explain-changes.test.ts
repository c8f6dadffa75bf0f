import { describe, expect, test } from 'vitest'
import { load } from '../../load/load.ts'
import { composeInput } from '../../testing/compose-input.ts'
import { deploy } from '../../testing/plan-samples.ts'
import { apply, observe, simulatedHost } from '../../testing/simulated-host.ts'
import { explainChanges } from './explain-changes.ts'

const images = ['web', 'db', 'other']

/** Deploys the files `deployed`, and explains what `now` changes as if `before` was deployed. */
function explain(
  deployed: Record<string, string>,
  now: Record<string, string>,
  before: Record<string, string> = deployed,
) {
  const host = simulatedHost(images)
  apply(host, deploy(host, load(composeInput(deployed)).project))
  const { project } = load(composeInput(now))
  const { containers } = observe(host)
  const services = Object.keys(project.services)
  return explainChanges({ before: composeInput(before), files: now, project, containers, services })
}

const web = (lines: string, more: Record<string, string> = {}) => ({
  'compose.yaml': `services:\n  web:\n    image: web\n${lines.replace(/^/gm, '    ')}\n`,
  ...more,
})

describe('the fields of a service that changed', () => {
  test.each([
    ['a variable', 'environment: {LOG: a, B: c}', 'environment: {LOG: b, B: c}', 'environment.LOG'],
    ['an added variable', '', 'environment: {LOG: a}', 'environment.LOG'],
    ['a variable without a value', '', 'environment: [LOG]', 'environment.LOG'],
    ['a removed label', 'labels: {a.b: x}', '', 'labels.a.b'],
    ['ports', 'ports: ["80:80"]', 'ports: ["81:80"]', 'ports'],
    ['an image', '', 'image: other', 'image'],
    ['a command', '', 'command: sleep 1', 'command'],
    [
      'a field of a field',
      'healthcheck: {retries: 1}',
      'healthcheck: {retries: 2}',
      'healthcheck.retries',
    ],
    ['an added mapping', '', 'healthcheck: {retries: 2}', 'healthcheck'],
    [
      'a deep field',
      'deploy: {resources: {limits: {memory: 1g}}}',
      'deploy: {resources: {limits: {memory: 2g}}}',
      'deploy.resources.limits.memory',
    ],
  ])('names %s', (_, before, after, field) => {
    const text = after.startsWith('image') ? '' : after
    const now = web(text)
    if (text !== after) now['compose.yaml'] = now['compose.yaml'].replace('image: web', after)
    expect(explain(web(before), now)).toEqual({ web: [field] })
  })

  test('are those of the hash: dependencies and the scale replace no container', () => {
    expect(explain(web('scale: 1'), web('scale: 2'))).toEqual({})
  })

  test('include variables of an env_file by name', () => {
    const before = web('env_file: api.env', { 'api.env': 'PASSWORD=one\nA=1\n' })
    const after = web('env_file: api.env', { 'api.env': 'PASSWORD=two\nA=1\n' })
    expect(explain(before, after)).toEqual({ web: ['environment.PASSWORD'] })
  })

  test('include inline configs whose content changed', () => {
    const file = (content: string) => ({
      'compose.yaml': `services: {web: {image: web, configs: [motd]}}\nconfigs: {motd: {content: ${content}}}\n`,
    })
    expect(explain(file('one'), file('two'))).toEqual({ web: ['configs.motd'] })
  })

  test('never show a key that comes from the value of a variable', () => {
    const before = web('environment: ["A=1"]', { '.env': 'TOKEN=s3cr3t\n' })
    const after = web('environment: ["A=1", "${TOKEN}"]', { '.env': 'TOKEN=s3cr3t\n' })
    expect(explain(before, after)).toEqual({ web: ['environment'] })
  })
})

describe('nothing is said', () => {
  test('about containers that were not created from these files', () => {
    const deployed = web('environment: {A: "1"}')
    expect(explain(deployed, web('environment: {A: "2"}'), web('environment: {A: "3"}'))).toEqual(
      {},
    )
  })

  test('about a service that the earlier files do not have', () => {
    const deployed = web('command: a')
    const before = { 'compose.yaml': 'services: {db: {image: db}}' }
    expect(explain(deployed, web('command: b'), before)).toEqual({})
  })
})

test('a service that joins the network of another one is recognized', () => {
  const files = (value: string) => ({
    'compose.yaml': `services:\n  db: {image: db}\n  web: {image: web, network_mode: "service:db", environment: {A: ${value}}}\n`,
  })
  expect(explain(files('one'), files('two'))).toEqual({ web: ['environment.A'] })
})
