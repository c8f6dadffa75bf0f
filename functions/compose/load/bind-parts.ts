import { printValue } from '../yaml/print-value.ts'
import { Problem } from '../yaml/problem.ts'
import { isMap } from '../yaml/tree.ts'
import type { Form } from './bind-forms.ts'
import {
  boolean,
  bytes,
  duration,
  environment,
  fileMode,
  float,
  integer,
  listOf,
  mapOf,
  mapping,
  nonZeroDuration,
  object,
  setInteger,
  setUnsigned,
  text,
  texts,
  unsigned,
} from './bind-forms.ts'
import { asSequence } from './merge-rules.ts'

/** A secret or config that a service uses. */
export const fileReference = object({
  source: text,
  target: text,
  uid: text,
  gid: text,
  mode: fileMode,
})

const ulimit: Form = (value, path) =>
  isMap(value)
    ? object({ soft: integer, hard: integer })(value, path)
    : (integer(value, path) ?? {})

/** Limits by name: one number for both, or an object with a soft and a hard limit. */
export const ulimits = mapOf(ulimit)

/** Converts `host:address` and `host=address,address` to sorted `host=address` entries. */
export const hosts: Form = (value, path) => {
  const lines = asSequence(value).flatMap((item, index) => {
    const entry = printValue(item)
    const cut = entry.includes('=') ? entry.indexOf('=') : entry.indexOf(':')
    const host = entry.slice(0, Math.max(cut, 0))
    if (host === '' || host.includes(':'))
      throw new Problem('decode', `not host=address: "${entry}"`, { path: [...path, index] })
    return entry
      .slice(cut + 1)
      .split(',')
      .map((address) => `${host}=${address.replace(/^\[(.+)\]$/, '$1')}`)
  })
  return lines.length > 0 ? lines.sort() : undefined
}

const deviceCount: Form = (value, path) => {
  if (value === 'all') return -1
  const count = Number(printValue(value) || Number.NaN)
  if (Number.isInteger(count)) return count
  throw new Problem('decode', `invalid value "${printValue(value)}": 'all' or a number`, { path })
}

/** A request for devices such as GPUs. */
export const deviceRequest = object({
  capabilities: texts,
  driver: text,
  count: deviceCount,
  device_ids: texts,
  options: mapping,
})

const resource = {
  cpus: float,
  memory: bytes,
  pids: integer,
  devices: listOf(deviceRequest),
  generic_resources: listOf(
    object({
      discrete_resource_spec: object({ kind: text, value: setInteger }, { kind: '', value: 0 }),
    }),
  ),
}

const rollout = object({
  parallelism: setUnsigned,
  delay: nonZeroDuration,
  failure_action: text,
  monitor: nonZeroDuration,
  max_failure_ratio: float,
  order: text,
})

/** The `deploy` attribute. Its resources and placement are always present. */
export const deploy: Form = (value, path) => {
  const bound = object({
    mode: text,
    replicas: setInteger,
    labels: mapping,
    update_config: rollout,
    rollback_config: rollout,
    resources: object({ limits: object(resource), reservations: object(resource) }),
    restart_policy: object({
      condition: text,
      delay: duration,
      max_attempts: setUnsigned,
      window: duration,
    }),
    placement: object({
      constraints: texts,
      preferences: listOf(object({ spread: text })),
      max_replicas_per_node: unsigned,
    }),
    endpoint_mode: text,
  })(value, path) as Record<string, unknown> | undefined
  return bound && { ...bound, resources: bound.resources ?? {}, placement: bound.placement ?? {} }
}

/** SSH keys: `default` or `id=path`. */
const ssh: Form = (value) => {
  const keys = asSequence(value).map(printValue)
  return keys.length > 0 ? keys : undefined
}

/** The `build` attribute. */
export const build = object({
  ...Object.fromEntries(
    ['context', 'dockerfile', 'dockerfile_inline', 'isolation', 'network', 'target'].map(
      (name) => [name, text] as const,
    ),
  ),
  ...Object.fromEntries(
    ['cache_from', 'cache_to', 'entitlements', 'no_cache_filter', 'platforms', 'tags'].map(
      (name) => [name, texts] as const,
    ),
  ),
  additional_contexts: mapping,
  args: environment,
  extra_hosts: hosts,
  labels: mapping,
  no_cache: boolean,
  privileged: boolean,
  provenance: text,
  pull: boolean,
  sbom: text,
  secrets: listOf(fileReference),
  shm_size: bytes,
  ssh,
  ulimits,
})
