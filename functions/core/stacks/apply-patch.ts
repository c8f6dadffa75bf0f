import { invalid, unprocessable } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink, plainMode, type TreeEntry } from '../records/stack-tree.ts'
import { linkTarget, pathProblem, shownPath } from './file-path.ts'
import { type NewFile, textOf } from './new-file.ts'
import { refuseOtherSpelling, type TextFile, textFileAt } from './text-file.ts'
import type { StackTexts, StoredTexts } from './texts.ts'
import { entryAt, isSameEntry, readFile, sha256Of } from './tree.ts'

/** A file of a patch. Without a mode it keeps that of the file it replaces. */
export type PatchFile = Pick<NewFile, 'content'> & { mode?: number | undefined }

/**
 * Changes of a stack's files by path: a file whose content is in memory, a stored file, a link, or
 * null to delete it. Any path: compose.yaml, `.env` and overlays too.
 */
export type FilesPatch = ReadonlyMap<string, PatchFile | TreeEntry | null>

const textFileBytesMax = 1024 * 1024
const overlaysMax = 20

/**
 * Checks each path of a patch and each link by its text alone.
 *
 * @throws 400
 */
export function checkPatch(patch: FilesPatch, stack: Pick<StackRecord, 'composeFiles'>): void {
  for (const [path, file] of patch) {
    const problem = pathProblem(path)
    if (problem !== undefined) throw invalid(`${shownPath(path)}: this path ${problem}`)
    if (file === null) continue
    refuseOtherSpelling(path, stack)
    if (isNew(file) || !isLink(file)) continue
    if (textFileAt(path, stack)) throw invalid(`${path}: it cannot be a link`)
    linkTarget(path, file.link)
  }
}

/**
 * Returns the texts with the changes applied. A file that stays the same keeps its stored entry.
 *
 * @throws 422 if compose.yaml would be deleted or a text is not UTF-8
 */
export async function applyPatch(
  texts: StoredTexts,
  patch: FilesPatch,
  stack: Pick<StackRecord, 'composeFiles'>,
  ports: Needs<'texts'>,
): Promise<StackTexts> {
  const tree = new Map<string, NewFile | TreeEntry>(Object.entries(texts.tree))
  let next: StackTexts = texts
  for (const [path, file] of patch) {
    const textFile = textFileAt(path, stack)
    if (textFile) {
      next = withText(next, textFile, path, file && (await readTextFile(path, file, ports)))
      // An overlay that did not load when the stack was adopted is in the tree.
      tree.delete(path)
    } else if (file === null) tree.delete(path)
    else tree.set(path, keptEntry(entryAt(texts.tree, path), file))
  }
  const overlays = Object.keys(next.overlays).length
  if (overlays > overlaysMax)
    throw unprocessable(`the stack has ${overlays} overlays, more than ${overlaysMax}`, {
      reason: 'limit',
    })
  return { ...next, tree: Object.fromEntries(tree) }
}

function withText(
  texts: StackTexts,
  textFile: TextFile,
  path: string,
  text: string | null,
): StackTexts {
  if (textFile.kind === 'env') return { ...texts, env: text }
  if (textFile.kind === 'overlay') {
    const { [textFile.environment]: _, ...rest } = texts.overlays
    return { ...texts, overlays: text === null ? rest : { ...rest, [textFile.environment]: text } }
  }
  if (text === null) throw unprocessable(`${path}: a stack cannot be without it`)
  return { ...texts, compose: text }
}

async function readTextFile(
  path: string,
  file: PatchFile | TreeEntry,
  ports: Needs<'texts'>,
): Promise<string> {
  if (!isNew(file) && isLink(file)) throw invalid(`${path}: it cannot be a link`)
  const size = isNew(file) ? file.content.length : file.size
  if (size > textFileBytesMax) throw unprocessable(`${path}: it is larger than 1 MiB`)
  const text = textOf(path, isNew(file) ? file.content : await readFile(file, ports))
  if (text.includes('\0')) throw unprocessable(`${path}: it contains a NUL character`)
  return text
}

/** Returns the stored entry if the file is the same, or else the file. */
function keptEntry(
  before: TreeEntry | undefined,
  file: PatchFile | TreeEntry,
): NewFile | TreeEntry {
  if (!isNew(file)) return before && isSameEntry(before, file) ? before : file
  const old = before && !isLink(before) ? before : undefined
  const mode = (file.mode ?? old?.mode ?? plainMode) & 0o777
  const isSame = old?.mode === mode && old.sha256 === sha256Of(file.content)
  return isSame ? old : { content: file.content, mode }
}

const isNew = (file: PatchFile | TreeEntry): file is PatchFile => 'content' in file
