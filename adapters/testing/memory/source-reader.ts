import {
  SourceFailure,
  type SourceFile,
  type SourceReader,
} from '../../../functions/core/ports/source-reader.ts'
import type { SourceAddress, SourceLimits } from '../../../functions/core/records/source-address.ts'
import { composeFolders } from '../../../functions/core/sources/compose-folders.ts'
import { isAtOrBelow } from '../../../functions/core/stacks/file-path.ts'

/** What a revision of a source in memory has: folder → its ID and files. */
export type MemoryFolders = Record<string, { id: string; files: SourceFile[] }>

/** Sources in memory, with access for the test. */
export interface MemorySourceReader extends SourceReader {
  /** URL and reference, as `oci://a/b at 1` → the revision, or why there is none. */
  readonly refs: Map<string, string | SourceFailure>
  readonly revisions: Map<string, MemoryFolders>
  /** The requests, in their order: `look` or `open` and what was asked for. */
  readonly requests: string[]
  /** The accounts that were sent, in their order. */
  readonly accounts: (string | undefined)[]
  /** Where sources were looked for, and how they are read, in their order. */
  readonly addresses: SourceAddress[]
}

/** Returns a reader without sources. */
export function memorySourceReader(): MemorySourceReader {
  const refs: MemorySourceReader['refs'] = new Map()
  const revisions: MemorySourceReader['revisions'] = new Map()
  const requests: string[] = []
  const accounts: (string | undefined)[] = []
  const addresses: SourceAddress[] = []
  return {
    refs,
    revisions,
    requests,
    accounts,
    addresses,
    async look(source, signal) {
      signal.throwIfAborted()
      requests.push(`look ${nameOf(source)}`)
      accounts.push(source.account?.username)
      addresses.push(source)
      const revision = refs.get(nameOf(source))
      if (revision instanceof SourceFailure) throw revision
      if (revision !== undefined) return { revision }
      throw new SourceFailure('no-such-ref', `${nameOf(source)}: there is no such reference`)
    },
    async open(source, revision, { paths, limits }, signal) {
      signal.throwIfAborted()
      requests.push(`open ${revision}`)
      const folders = new Map(Object.entries(revisions.get(revision) ?? {}))
      if (folders.size === 0) throw new SourceFailure('no-such-ref', `${nameOf(source)}: gone`)
      for (const path of paths) checkLimits(folders.get(path)?.files ?? [], limits)
      return {
        revision,
        about: {},
        idOf: (path) => folders.get(path)?.id,
        folders: () => composeFolders(pathsIn(folders)),
        async *files(path) {
          if (!paths.some((one) => one === '' || isAtOrBelow(path, one))) return
          for (const file of folders.get(path)?.files ?? []) {
            signal.throwIfAborted()
            yield file
          }
        },
        async close() {},
      }
    },
  }
}

function checkLimits(files: readonly SourceFile[], limits: SourceLimits): void {
  const sizes = files.map((file) => ('content' in file ? file.content.length : 0))
  const sum = sizes.reduce((one, other) => one + other, 0)
  const isTooLarge = sum > limits.bytes || sizes.some((size) => size > limits.fileBytes)
  if (isTooLarge || files.length > limits.files) {
    throw new SourceFailure('too-large', 'the folder is larger than a stack may be')
  }
}

/** Returns the paths of all files, from the top of the source. */
const pathsIn = (folders: ReadonlyMap<string, MemoryFolders[string]>): string[] =>
  [...folders].flatMap(([folder, { files }]) =>
    files.map(({ path }) => (folder === '' ? path : `${folder}/${path}`)),
  )

const nameOf = ({ url, ref }: SourceAddress) => `${url} at ${ref}`
