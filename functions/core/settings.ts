export interface SettingValues {
  'auth.lockout_max_attempts': number
  'auth.lockout_duration_minutes': number
  'auth.session_absolute_hours': number
  'auth.session_idle_minutes': number
  'auth.session_remember_days': number
  /** The largest packed bundle that an adoption takes. */
  'adopt.max_bundle_bytes': number
}

/** Values of the service's configuration that handlers need, the file and environment over the stored ones. */
export interface Settings {
  get(): Promise<SettingValues>
}

/** What holds when nobody said otherwise. */
export const defaultSettings: Readonly<SettingValues> = {
  'auth.lockout_max_attempts': 5,
  'auth.lockout_duration_minutes': 15,
  'auth.session_absolute_hours': 24,
  'auth.session_idle_minutes': 60,
  'auth.session_remember_days': 14,
  'adopt.max_bundle_bytes': 1024 ** 3,
}

/** The values in force: the pinned (file, environment) over the stored over the defaults. Other keys are left out. */
export function effectiveSettings(
  stored: Partial<SettingValues>,
  pinned: Partial<SettingValues>,
): SettingValues {
  const values = { ...defaultSettings }
  for (const key of Object.keys(defaultSettings) as (keyof SettingValues)[]) {
    values[key] = pinned[key] ?? stored[key] ?? defaultSettings[key]
  }
  return values
}
