import type { OtherFile } from '../stacks/other-files.ts'
import type { StackRecord } from '../stacks/stack.ts'
import { composeFilesOf, type StackTexts } from '../stacks/texts.ts'

/**
 * `stack.json`, the first file of a stack's archive: the record of the stack. It is followed by
 * `data/`, the stack's directory on the host. For a stack that was never deployed, `data/` contains
 * the files of the record.
 */
export interface SavedStack {
  format: 1
  name: string
  /** The stack's directory on its host. */
  directory: string
  adopted: boolean
  compose_files: string[]
  environment: string | null
  compose: string
  env: string | null
  overlays: Record<string, string>
  others: Record<string, SavedFile>
  /** The existing named volumes. Each is an object of the backup. */
  volumes: SavedVolume[]
}

export interface SavedFile {
  encoding: 'utf8' | 'base64'
  content: string
  executable: boolean
}

export interface SavedVolume {
  /** The volume's key in the compose file; `name` is its name on the Engine. */
  key: string
  name: string
  /** Not created by the stack. */
  external: boolean
}

/** The name of the file in the archive. */
export const savedStackName = 'stack.json'

/** Returns the content of `stack.json`. */
export function saveStack(
  stack: StackRecord,
  texts: StackTexts,
  volumes: readonly SavedVolume[],
): SavedStack {
  const others = Object.entries(texts.others).map(([path, file]) => [path, savedFile(file)])
  return {
    ...{ format: 1, name: stack.id, directory: stack.directory, adopted: stack.adopted },
    ...{ compose_files: composeFilesOf(stack), environment: stack.environment },
    ...{ compose: texts.compose, env: texts.env, overlays: texts.overlays },
    others: Object.fromEntries(others),
    volumes: [...volumes],
  }
}

function savedFile(file: OtherFile): SavedFile {
  if (typeof file === 'string') return { encoding: 'utf8', content: file, executable: false }
  const content = Buffer.from(file.content).toString('base64')
  return { encoding: 'base64', content, executable: file.executable }
}

/** Returns the file of a stack that was saved as `SavedFile`. */
export function otherFileOf({ encoding, content, executable }: SavedFile): OtherFile {
  return encoding === 'utf8' ? content : { content: Buffer.from(content, 'base64'), executable }
}
