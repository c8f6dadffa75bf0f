import type { Settings, SettingsChange } from '../../data/settings.ts'
import { splitCommas } from '../../data/split-words.ts'

/** A setting with a field. The notice at home changes the other one. */
export type SettingName = Exclude<keyof Settings, 'stacks.lists_filled'>

/** The settings by topic. */
export const groups = {
  signIn: [
    'auth.lockout_max_attempts',
    'auth.lockout_duration_minutes',
    'auth.session_absolute_hours',
    'auth.session_idle_minutes',
    'auth.session_remember_days',
  ],
  stacks: [
    'stack.max_bytes',
    'stack.max_files',
    'stack.max_file_bytes',
    'adopt.max_bundle_bytes',
    'stacks.shared_volumes',
    'stacks.shared_networks',
    'stacks.enterable_binds',
    'updates.check_hours',
    'registry.allow',
  ],
  keeping: [
    'metrics.sample_seconds',
    'metrics.history_days',
    'retention.deployments',
    'retention.days',
    'retention.deleted_job_days',
  ],
} as const satisfies Record<string, readonly SettingName[]>

const mebibyte = 1024 * 1024

/** Returns whether a setting is a size. Its field takes MiB. */
export const isSize = (name: SettingName) => name.endsWith('_bytes')

/** Returns the text of a setting's field. */
export function inputText(name: SettingName, value: Settings[SettingName]): string {
  if (Array.isArray(value)) return value.join(', ')
  return isSize(name) ? String(Number(value) / mebibyte) : String(value)
}

/** Returns the settings whose field differs from the stored value, with their new values. */
export function changesOf(
  settings: Settings,
  typed: Readonly<Partial<Record<SettingName, string>>>,
): SettingsChange {
  const changed = (Object.keys(typed) as SettingName[]).filter(
    (name) => typed[name] !== inputText(name, settings[name]),
  )
  return Object.fromEntries(
    changed.map((name) => {
      const text = typed[name] ?? ''
      if (Array.isArray(settings[name])) return [name, splitCommas(text)]
      return [name, isSize(name) ? Math.round(Number(text) * mebibyte) : Number(text)]
    }),
  )
}
