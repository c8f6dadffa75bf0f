import type { StackFile } from '../../../data/stack-files.ts'
import type { StackDetails } from './stack.ts'

/**
 * Returns whether a file is that of the source that its stack follows, so that it can be changed
 * there only. Secret files and those that are kept here can be changed here.
 */
export const isManaged = (
  { source }: Pick<StackDetails, 'source'>,
  { path, secret }: Pick<StackFile, 'path' | 'secret'>,
): boolean => source !== null && !secret && !source.kept.includes(path)
