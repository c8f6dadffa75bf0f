import type { Texts } from '../../functions/core/ports/texts.ts'
import type { TreeFile } from '../../functions/core/records/stack-tree.ts'
import { fileEntry } from '../../functions/core/stacks/tree.ts'
import { present } from './present.ts'

/** Stores one content and returns its digest. */
export async function putContent(texts: Texts, content: Uint8Array): Promise<string> {
  const [digest] = await texts.putMany([content])
  return present(digest)
}

/** Stores the content of a file and returns its entry. */
export async function storeFile(
  content: Uint8Array,
  mode: number,
  { texts }: { texts: Texts },
): Promise<TreeFile> {
  return fileEntry(await putContent(texts, content), content, mode)
}
