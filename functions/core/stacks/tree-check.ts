import type { SettingValues } from '../records/settings.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink } from '../records/stack-tree.ts'
import type { FilesPatch } from './apply-patch.ts'
import { isNew, type StackTexts, textsByPath } from './texts.ts'
import { checkFileSize, checkSize, type TreeSize } from './tree-limits.ts'
import { checkShape, type TreeShape } from './tree-shape.ts'

/** A change of a stack's files. */
interface Change {
  before: StackTexts
  patch: FilesPatch
  stack: Pick<StackRecord, 'composeFiles'>
}

/**
 * Checks the files of a stack after a change, together: their sizes, and that they can be one
 * directory.
 *
 * @throws 422, or 400 for a link
 */
export function checkTree(
  after: StackTexts,
  { before, patch, stack }: Change,
  limits: SettingValues,
): void {
  for (const [path, file] of patch) {
    if (file === null) continue
    if ('content' in file) checkFileSize(path, file.content.length, limits)
    else if (!isLink(file)) checkFileSize(path, file.size, limits)
  }
  checkSize(sizeOf(after), sizeOf(before), limits)
  checkShape(shapeOf(after, stack), new Set(patch.keys()))
}

function shapeOf(texts: StackTexts, stack: Pick<StackRecord, 'composeFiles'>): TreeShape {
  const named = Object.keys(textsByPath(texts, stack)).map((path) => [path, {}] as const)
  const others = Object.entries(texts.tree).map(([path, file]) => {
    const link = !isNew(file) && isLink(file) ? file.link : undefined
    return [path, { link }] as const
  })
  return new Map([...others, ...named])
}

function sizeOf(texts: StackTexts): TreeSize {
  const named = Object.values(textsByPath(texts, {})).map((text) => Buffer.byteLength(text))
  const others = Object.values(texts.tree).map((file) => {
    if (isNew(file)) return file.content.length
    return isLink(file) ? 0 : file.size
  })
  const sizes = [...named, ...others]
  return { files: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) }
}
