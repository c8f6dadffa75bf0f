import type { SettingValues } from '../records/settings.ts'
import type { SourceLimits } from '../records/source-address.ts'

/** Returns the most that is read of a source: what a stack may have. */
export const sourceLimits = (settings: SettingValues): SourceLimits => ({
  bytes: settings['stack.max_bytes'],
  fileBytes: settings['stack.max_file_bytes'],
  files: settings['stack.max_files'],
})
