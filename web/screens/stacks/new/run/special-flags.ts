import type { Yaml } from './write-yaml.ts'

/** A service of a compose file that is being put together. */
export type Service = Record<string, Yaml>

/**
 * Applies a flag that has another form in a compose file. Returns the flag if that has no place for
 * it.
 */
export function special(service: Service, name: string, value: string): string | undefined {
  if (name === 'network') return network(service, value)
  if (name === 'mount') return mount(service, value)
  if (name === 'entrypoint') service.entrypoint = [value]
  else if (name === 'ulimit') ulimit(service, value)
  else if (name === 'log-driver') service.logging = { ...mapIn(service, 'logging'), driver: value }
  else if (name === 'log-opt') logOption(service, value)
  else health(service, name.replace('health-', ''), value)
  return undefined
}

const mapIn = (service: Service, field: string) => (service[field] ?? {}) as Record<string, Yaml>
const add = (service: Service, field: string, value: Yaml) => {
  service[field] = [...((service[field] ?? []) as readonly Yaml[]), value]
}

/** Converts `--network`. A built-in network of the Engine is a mode; any other exists already. */
function network(service: Service, value: string): string | undefined {
  if (/^(?:host|none|bridge|container:.+)$/.test(value)) service.network_mode = value
  else if (value.includes('=')) return `--network ${value}`
  else add(service, 'networks', value)
  return undefined
}

function mount(service: Service, value: string): string | undefined {
  const fields = new Map(
    value.split(',').map((part): [string, string] => {
      const [key = '', ...rest] = part.split('=')
      return [key, rest.join('=')]
    }),
  )
  const type = fields.get('type') ?? 'volume'
  const source = fields.get('source') ?? fields.get('src') ?? ''
  const target = fields.get('target') ?? fields.get('destination') ?? fields.get('dst')
  if (target === undefined || !['bind', 'volume', 'tmpfs'].includes(type)) return `--mount ${value}`
  const isReadOnly = ['readonly', 'ro'].some(
    (key) => fields.has(key) && !/^(?:false|0)$/.test(fields.get(key) ?? ''),
  )
  if (type === 'tmpfs') add(service, 'tmpfs', target)
  else {
    const start = source === '' ? target : `${source}:${target}`
    add(service, 'volumes', isReadOnly ? `${start}:ro` : start)
  }
  return undefined
}

/** `nofile=1024:2048`, or one figure for both. */
function ulimit(service: Service, value: string): void {
  const [name = '', limits = ''] = value.split('=')
  const [soft = '', hard] = limits.split(':')
  const both = hard === undefined ? Number(soft) : { soft: Number(soft), hard: Number(hard) }
  service.ulimits = { ...mapIn(service, 'ulimits'), [name]: both }
}

function logOption(service: Service, value: string): void {
  const [key = '', ...rest] = value.split('=')
  const logging = mapIn(service, 'logging')
  const options = { ...(logging.options as Record<string, Yaml>), [key]: rest.join('=') }
  service.logging = { ...logging, options }
}

function health(service: Service, field: string, value: string): void {
  const fields: Record<string, Yaml> = {
    cmd: ['CMD-SHELL', value],
    retries: Number(value),
  }
  const name = field === 'cmd' ? 'test' : field.replaceAll('-', '_')
  const set = { ...mapIn(service, 'healthcheck'), [name]: fields[field] ?? value }
  service.healthcheck = set
}
