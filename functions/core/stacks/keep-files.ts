import type { Needs } from '../ports/ports.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { markSecrets, type SecretEvidence } from './secret-paths.ts'
import { keepNew, keepTexts, type StackTexts } from './texts.ts'

/** Stores the files of a stack with each secret one marked, and returns their digests. */
export async function keepFiles(
  texts: StackTexts,
  evidence: SecretEvidence,
  ports: Needs<'texts'>,
): Promise<StackFiles> {
  const kept = await keepNew(texts.tree, ports)
  return keepTexts({ ...texts, tree: markSecrets(kept, evidence) }, ports)
}
