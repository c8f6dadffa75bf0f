import type { HostFile } from '../engine/engine.ts'
import type { Drift } from './drift.ts'
import type { Order } from './order.ts'
import { filesByPath, hostFiles, type StackTexts } from './texts.ts'

/** What a deploy changes in the stack's directory. */
export interface HostChanges {
  write: HostFile[]
  /** Paths of files that were written once and belong to the stack no more. */
  remove: string[]
}

/** Files that are not as they were last written, and those that drifted where these are to be overwritten. */
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
