import type { Tree } from '../yaml/tree.ts'
import { patternTree } from '../yaml/tree.ts'

/**
 * Converts an interpolated string to the type that the model expects.
 *
 * @throws TypeError that names the expected type
 */
export type Cast = (text: string, warn: (message: string) => void) => Tree

const toInteger: Cast = (text) => {
  if (!/^[-+]?\d+$/.test(text)) throw new TypeError(`failed to cast to expected type: an integer`)
  return Number(text)
}

const toNumber: Cast = (text) => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(value)) throw new TypeError('failed to cast to expected type: a number')
  return value
}

const toBoolean: Cast = (text, warn) => {
  const word = text.toLowerCase()
  if (word === 'true') return true
  if (word === 'false') return false
  const legacy = new Map([
    ...['yes', 'y', 'on'].map((name) => [name, true] as const),
    ...['no', 'n', 'off'].map((name) => [name, false] as const),
  ])
  const value = legacy.get(word)
  if (value === undefined) throw new TypeError('failed to cast to expected type: true or false')
  warn(`"${text}" for a boolean is no longer in YAML: please write ${value}`)
  return value
}

/** The casts by path. */
export const casts = patternTree<Cast>({
  ...rows(toInteger, [
    'services.*.cpu_count',
    'services.*.cpu_period',
    'services.*.cpu_quota',
    'services.*.cpu_rt_period',
    'services.*.cpu_rt_runtime',
    'services.*.cpu_shares',
    'services.*.blkio_config.weight',
    'services.*.blkio_config.weight_device.*.weight',
    'services.*.deploy.replicas',
    'services.*.deploy.placement.max_replicas_per_node',
    'services.*.deploy.restart_policy.max_attempts',
    'services.*.deploy.rollback_config.parallelism',
    'services.*.deploy.update_config.parallelism',
    'services.*.healthcheck.retries',
    'services.*.oom_score_adj',
    'services.*.pids_limit',
    'services.*.ports.*.target',
    'services.*.scale',
    'services.*.ulimits.*',
    'services.*.ulimits.*.hard',
    'services.*.ulimits.*.soft',
    'services.*.networks.*.priority',
    'services.*.networks.*.gw_priority',
    'services.*.volumes.*.tmpfs.mode',
  ]),
  ...rows(toNumber, [
    'services.*.cpu_percent',
    'services.*.cpus',
    'services.*.deploy.rollback_config.max_failure_ratio',
    'services.*.deploy.update_config.max_failure_ratio',
  ]),
  ...rows(toBoolean, [
    'configs.*.external',
    'networks.*.attachable',
    'networks.*.enable_ipv4',
    'networks.*.enable_ipv6',
    'networks.*.external',
    'networks.*.internal',
    'secrets.*.external',
    'services.*.attach',
    'services.*.build.no_cache',
    'services.*.build.privileged',
    'services.*.build.pull',
    'services.*.depends_on.*.required',
    'services.*.depends_on.*.restart',
    'services.*.env_file.*.required',
    'services.*.healthcheck.disable',
    'services.*.init',
    'services.*.oom_kill_disable',
    'services.*.privileged',
    'services.*.read_only',
    'services.*.stdin_open',
    'services.*.tty',
    'services.*.use_api_socket',
    'services.*.volumes.*.bind.create_host_path',
    'services.*.volumes.*.read_only',
    'services.*.volumes.*.volume.nocopy',
    'volumes.*.external',
  ]),
})

function rows(cast: Cast, patterns: string[]): Record<string, Cast> {
  return Object.fromEntries(patterns.map((pattern) => [pattern, cast]))
}
