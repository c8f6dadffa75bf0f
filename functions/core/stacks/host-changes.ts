import type { HostFile } from '../engine/engine.ts'
import type { Drift } from './drift.ts'
import type { Order } from './order.ts'
import { filesByPath, hostFiles, type StackTexts } from './texts.ts'

/** The changes of a deploy to the stack's directory. */
export interface HostChanges {
  write: HostFile[]
  /** Paths of files that were written before and no longer belong to the stack. */
  remove: string[]
}

/**
 * Returns the files to write and to remove. Files to write are those that differ from what was last
 * written and, if drift is to be overwritten, those that drifted.
 */
export function hostChanges(order: Order, texts: StackTexts, drift: readonly Drift[]): HostChanges {
  const { stack, files, options } = order
  const wanted = filesByPath(files, stack)
  const written = stack.written ? filesByPath(stack.written, stack) : {}
  const drifted = new Set(options.overwriteDrift ? drift.map(({ path }) => path) : [])
  return {
    write: hostFiles(texts, stack).filter(
      ({ path }) => wanted[path] !== written[path] || drifted.has(path),
    ),
    remove: Object.keys(written).filter((path) => !Object.hasOwn(wanted, path)),
  }
}
