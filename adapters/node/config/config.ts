import { resolve } from 'node:path'
import {
  type OutboundProxies,
  parseOutboundProxies,
} from '../../../functions/core/net/outbound-proxies.ts'
import type { SettingValues } from '../../../functions/core/records/settings.ts'
import { readConfigFile } from './config-file.ts'
import { pinnedSettings, settingOf } from './pinned-settings.ts'
import { ConfigError, check } from './schema.ts'
import { configFrom, type VariableConfig, Variables } from './variables.ts'

/** The service's configuration. */
export interface Config extends VariableConfig {
  /** The configuration file, if there is one. */
  configFile: string | undefined
  dockerHost: string | undefined
  /** The proxies for requests to addresses that users configured. */
  proxies: OutboundProxies
  pinned: Partial<SettingValues>
}

/**
 * Reads the configuration. Environment variables override the YAML file: `SERVICE_CONFIG`, or
 * `config.yaml` in the data directory. If the latter does not exist, `instead` is used as its text.
 *
 * @throws ConfigError for an unknown key or an invalid value
 */
export function readConfig(env: Record<string, string | undefined>, instead?: string): Config {
  const { named, pinned } = given(env)
  const dataDirectory = resolve(named.SERVICE_DATA_DIR ?? './data')
  const file = readConfigFile(named.SERVICE_CONFIG, dataDirectory, instead)
  const { variables, settings } = splitFile(file.values)
  const values = check(Variables.strict(), { ...variables, ...named }, 'environment')
  return {
    ...configFrom(values),
    configFile: file.path,
    dockerHost: env.DOCKER_HOST || undefined,
    proxies: proxiesFrom(env),
    pinned: pinnedSettings({ ...settings, ...pinned }),
  }
}

/** @throws ConfigError that names the variable */
function proxiesFrom(env: Record<string, string | undefined>): OutboundProxies {
  try {
    return parseOutboundProxies(env)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

/**
 * Returns the service's variables, and those of settings by their keys. Empty variables are
 * ignored.
 */
function given(env: Record<string, string | undefined>) {
  const named: Record<string, string> = {}
  const pinned: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const key = settingOf(name)
    if (value && key) pinned[key] = value
    else if (value && name.startsWith('SERVICE_')) named[name] = value
  }
  return { named, pinned }
}

/**
 * Splits the file's keys into settings, which have dots, and variables, such as `data_dir` for
 * `SERVICE_DATA_DIR`.
 */
function splitFile(file: Record<string, unknown>) {
  const variables = new Map<string, string>()
  const settings = new Map<string, unknown>()
  for (const [key, value] of Object.entries(file)) {
    const variable = `SERVICE_${key.toUpperCase()}`
    if (Object.hasOwn(Variables.shape, variable)) variables.set(variable, String(value))
    else settings.set(key, value)
  }
  return { variables: Object.fromEntries(variables), settings: Object.fromEntries(settings) }
}
