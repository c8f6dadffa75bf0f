import type { Needs } from '../ports/ports.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { markSecrets, type SecretEvidence } from './secret-paths.ts'
import { type StackTexts, storeNewFiles, storeTexts } from './texts.ts'

/** Stores the files of a stack with each secret one marked, and returns their digests. */
export async function storeFiles(
  texts: StackTexts,
  evidence: SecretEvidence,
  ports: Needs<'texts'>,
): Promise<StackFiles> {
  const kept = await storeNewFiles(texts.tree, ports)
  return storeTexts({ ...texts, tree: markSecrets(kept, evidence) }, ports)
}
