import type { Needs } from '../ports/ports.ts'
import type { FileLine, NewerTag } from '../records/image-look.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink } from '../records/stack-tree.ts'
import { textIfUtf8 } from '../stacks/new-file.ts'
import { composeFilesOf, isNew, overlayFile, readTexts, textsByPath } from '../stacks/texts.ts'
import { entryAt, readFile } from '../stacks/tree.ts'

/** A tag of a newer version, and the lines of the files that a change to it changes. */
export interface Proposal extends NewerTag {
  lines: FileLine[]
}

/** Lines that are shown for a tag, and the length of one. */
const linesMax = 5
const lineMax = 500

/** The attribute `image` with its value, in a line of its own or between braces. */
const imageValue = /(\bimage["']?\s*:\s*["']?)([^\s"',}]+)/g

/**
 * Returns the lines that name an image, as they are with another tag. None where a variable has the
 * name or a part of it.
 *
 * @param reference the image with its tag, as in the files
 * @param texts path → text of a compose file
 */
export function proposedLines(
  reference: string,
  tag: string,
  texts: ReadonlyMap<string, string>,
): FileLine[] {
  const other = `${reference.slice(0, reference.lastIndexOf(':'))}:${tag}`
  const lines = [...texts].flatMap(([file, text]) =>
    text.split(/\r?\n/).flatMap((before, index): FileLine[] => {
      if (before.length > lineMax) return []
      const changed = before.replaceAll(imageValue, (all, start: string, image: string) =>
        image === reference ? `${start}${other}` : all,
      )
      return changed === before ? [] : [{ file, line: index + 1, text: changed.trim() }]
    }),
  )
  return lines.slice(0, linesMax)
}

/** Returns the compose files of a stack that its last deploy used: path → text. */
export async function composeTexts(
  stack: StackRecord,
  ports: Needs<'texts'>,
): Promise<Map<string, string>> {
  const texts = await readTexts(stack.files, ports)
  const known = new Map(Object.entries(textsByPath(texts, stack)))
  const overlay = stack.environment === null ? [] : [overlayFile(stack.environment)]
  const found = new Map<string, string>()
  for (const path of [...composeFilesOf(stack), ...overlay]) {
    const entry = entryAt(texts.tree, path)
    const isStored = entry && !isNew(entry) && !isLink(entry)
    const text = known.get(path) ?? (isStored && textIfUtf8(await readFile(entry, ports)))
    if (text) found.set(path, text)
  }
  return found
}
