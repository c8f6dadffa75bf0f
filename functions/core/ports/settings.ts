import type { SettingChanges, SettingValues } from '../records/settings.ts'

/**
 * The settings in force. Values from the configuration file and the environment take precedence
 * over stored ones.
 */
export interface Settings {
  /** Returns the values, which may be a second old. */
  get(): Promise<SettingValues>
  /** Returns the values as they are stored now. */
  fresh(): Promise<SettingValues>
  /**
   * Stores these values, removes those that are null, and leaves the other settings unchanged.
   * Pinned values stay in force.
   */
  save(values: SettingChanges): Promise<void>
  /** The keys that are set by the configuration file or the environment. */
  readonly pinned: ReadonlySet<string>
  /** Returns whether the lists have what was used before they existed; see `fillLists`. */
  areListsFilled(): Promise<boolean>
  /** Records for all processes that they do. */
  markListsFilled(): Promise<void>
}
