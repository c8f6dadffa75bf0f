import { unprocessable } from '../errors.ts'
import type { SettingValues } from '../records/settings.ts'
import { shownPath } from './file-path.ts'

/** Number and size of a stack's files. */
export interface TreeSize {
  files: number
  bytes: number
}

type Limits = Pick<SettingValues, 'stack.max_bytes' | 'stack.max_files' | 'stack.max_file_bytes'>

/**
 * Checks the size of a stack after a change. A stack that was over a limit before, because the
 * limit was higher then, may become smaller.
 *
 * @throws 422 with the setting
 */
export function checkSize(after: TreeSize, before: TreeSize, limits: Limits): void {
  const over = (
    what: keyof TreeSize,
    setting: 'stack.max_files' | 'stack.max_bytes',
    unit: string,
  ) => {
    if (after[what] <= Math.max(limits[setting], before[what])) return
    throw limited(
      `the stack has ${after[what]} ${unit}, more than ${limits[setting]} (setting ${setting})`,
    )
  }
  over('files', 'stack.max_files', 'files')
  over('bytes', 'stack.max_bytes', 'bytes of files')
}

/** @throws 422 with the path and the setting if a file is too large */
export function checkFileSize(path: string, bytes: number, limits: Limits): void {
  const max = limits['stack.max_file_bytes']
  if (bytes > max) {
    throw limited(
      `${shownPath(path)}: it has ${bytes} bytes, more than ${max} (setting stack.max_file_bytes)`,
    )
  }
}

const limited = (message: string) => unprocessable(message, { reason: 'limit' })
