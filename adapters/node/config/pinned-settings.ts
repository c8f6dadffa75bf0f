import {
  defaultSettings,
  SettingFields,
  type SettingValues,
  settingKeys,
} from '../../../functions/core/records/settings.ts'
import { check } from './schema.ts'

/** Returns the variable that pins a setting, such as `SERVICE_AUTH_LOCKOUT_MAX_ATTEMPTS`. */
export const settingVariable = (key: string) => `SERVICE_${key.toUpperCase().replaceAll('.', '_')}`

const keysByVariable = new Map(settingKeys.map((key) => [settingVariable(key), key]))

/** Returns the setting that a variable pins, if there is one. */
export const settingOf = (variable: string): string | undefined => keysByVariable.get(variable)

const Pinned = SettingFields.partial()

/**
 * Returns the settings that the file and the environment pin: an administrator cannot change them
 * at runtime.
 *
 * @throws ConfigError for an unknown key or an invalid value
 */
export const pinnedSettings = (values: Record<string, unknown>): Partial<SettingValues> =>
  check(Pinned, typed(values), 'configuration file')

/** The keys of settings that are lists. */
const listKeys = new Set<string>(settingKeys.filter((key) => Array.isArray(defaultSettings[key])))

/**
 * Converts strings to numbers, booleans and lists (separated by commas or spaces): environment
 * variables are always strings, and a configuration file may quote numbers.
 */
function typed(values: Record<string, unknown>): Record<string, unknown> {
  const convert = (key: string, value: unknown) => {
    if (typeof value !== 'string') return value
    if (listKeys.has(key)) return value.split(/[\s,]+/).filter((part) => part !== '')
    if (/^(true|false)$/.test(value)) return value === 'true'
    return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  }
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, convert(key, value)]),
  )
}
