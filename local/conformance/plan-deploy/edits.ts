import { present } from '../../../adapters/testing/present.ts'
import fc from '../../harness/properties.ts'
import type { ComposeModel, Sample, ServiceModel } from './sample.ts'

/** A random change of a stack's files. Numbers choose the service or file, and the value. */
export interface Edit {
  kind: keyof typeof edits
  at: number
  value: number
}

/** Makes one change of the files, which may be one that the service refuses to save. */
type Change = (stack: Sample, name: string, service: ServiceModel, value: number) => void

const edits = {
  environment: (_stack, _name, service, value) => {
    service.environment = withEntry(service.environment, 'EDITED', String(value))
  },
  label: (_stack, _name, service, value) => {
    service.labels = withEntry(service.labels, 'edited', String(value))
  },
  command: (_stack, _name, service, value) => {
    service.command = ['sleep', String(value)]
  },
  image: (_stack, _name, service, value) => {
    service.image = `busybox:edited-${value}`
    delete service.build
  },
  replicas: (_stack, _name, service, value) => {
    service.scale = value % 4
  },
  profile: (_stack, _name, service) => {
    service.profiles = ['debug']
  },
  'unset variable': (_stack, _name, service, value) => {
    service.labels = withEntry(service.labels, 'unset', `\${UNSET_${value}}`)
  },
  volume: ({ model }, _name, service, value) => {
    const key = `edited-${value}`
    model.volumes = { ...model.volumes, [key]: null }
    service.volumes = [...(service.volumes ?? []), `${key}:/edited-${value}`]
  },
  'unused volume': ({ model }, _name, _service, value) => {
    model.volumes = { ...model.volumes, [`unused-${value}`]: null }
  },
  network: ({ model }, _name, service, value) => {
    if (service.network_mode !== undefined) return
    const key = `edited-${value}`
    model.networks = { ...model.networks, [key]: null }
    const { networks = ['default'] } = service
    service.networks = Array.isArray(networks)
      ? [...networks, key]
      : { ...(networks as object), [key]: null }
  },
  'new directory': (_stack, _name, service, value) => {
    service.volumes = [...(service.volumes ?? []), `./new-${value}:/new-${value}`]
  },
  'absent path': (_stack, _name, service, value) => {
    service.volumes = [...(service.volumes ?? []), `${absentPath}:/absent-${value}`]
  },
  'volume of others': ({ model }, _name, service) => {
    model.volumes = { ...model.volumes, theirs: { external: true, name: othersVolume } }
    service.volumes = [...(service.volumes ?? []), 'theirs:/theirs']
  },
  port: (_stack, _name, service, value) => {
    service.ports = [...(service.ports ?? []), `${41_000 + value}:80`]
  },
  'new service': ({ model }, name, _service, value) => {
    const image = 'busybox:latest'
    model.services[`new-${value}`] = { image, command: 'sleep 1d', depends_on: [name] }
  },
  'one service less': ({ model }, name) => {
    delete model.services[name]
  },
  file: (stack, _name, _service, value) => {
    const paths = Object.keys(stack.files)
    const path = paths[value % paths.length]
    if (path !== undefined) stack.files[path] += `# edited ${value}\n`
  },
  variable: (stack, _name, _service, value) => {
    const before = stack.env === undefined ? '' : `${stack.env}\n`
    stack.env = `${before}EDITED=${value}\n`
  },
} satisfies Record<string, Change>

/** A volume of the host of the property that no stack created. */
export const othersVolume = 'theirs'

/** A path outside of the directories of stacks that does not exist on the host of the property. */
export const absentPath = '/srv/absent'

/** Returns the files after the edits, in a copy. */
export function edited(stack: Sample, changes: readonly Edit[]): Sample {
  const result = structuredClone(stack)
  for (const { kind, at, value } of changes) {
    const found = serviceAt(result.model, at)
    if (found) (edits[kind] as Change)(result, ...found, value)
  }
  return result
}

/** Returns the service that a number chooses. */
function serviceAt({ services }: ComposeModel, at: number): [string, ServiceModel] | undefined {
  const names = Object.keys(services).filter((name) => services[name])
  const name = names[at % names.length]
  return name === undefined ? undefined : [name, present(services[name])]
}

/** Adds an entry to a list of `name=value` or to a mapping. */
function withEntry(
  entries: unknown[] | Record<string, unknown> | undefined,
  name: string,
  value: string,
): unknown[] | Record<string, unknown> {
  return Array.isArray(entries) ? [...entries, `${name}=${value}`] : { ...entries, [name]: value }
}

/** Up to four random changes. */
export const someEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(edits) as Edit['kind'][])),
    at: fc.nat(9),
    value: fc.nat(99),
  }),
  { maxLength: 4 },
)
