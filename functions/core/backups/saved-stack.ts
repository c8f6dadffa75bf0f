import type { OtherFile } from '../stacks/other-files.ts'
import type { StackRecord } from '../stacks/stack.ts'
import { composeFilesOf, type StackTexts } from '../stacks/texts.ts'

/**
 * `stack.json`, the first file of a stack's archive: the stack as its record has it. Behind it is `data/`, its directory as
 * it is on the host, or, of one that was never written there, the record's files in that form.
 */
export interface SavedStack {
  format: 1
  name: string
  /** Where it lived on its host. */
  directory: string
  adopted: boolean
  compose_files: string[]
  environment: string | null
  compose: string
  env: string | null
  overlays: Record<string, string>
  others: Record<string, SavedFile>
  /** Its named volumes that were there: each is an object of the backup. */
  volumes: SavedVolume[]
}

export interface SavedFile {
  encoding: 'utf8' | 'base64'
  content: string
  executable: boolean
}

export interface SavedVolume {
  /** As the compose file calls it; its name on the Engine. */
  key: string
  name: string
  /** Made by somebody else than the stack. */
  external: boolean
}

/** The file's name in the archive. */
export const savedStackName = 'stack.json'

/** What `stack.json` says of a stack. */
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

/** The other file of a stack that a saved one stands for. */
export function otherFileOf({ encoding, content, executable }: SavedFile): OtherFile {
  return encoding === 'utf8' ? content : { content: Buffer.from(content, 'base64'), executable }
}
