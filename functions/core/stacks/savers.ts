import { ignoreFailure } from '../ignore-error.ts'
import type { StackRecord } from '../records/stack.ts'
import type { Saver } from '../records/stack-files.ts'
import { deployedRevisionOf } from './deployed-revision.ts'
import { type LoadPorts, loadTexts } from './load-project.ts'
import type { StoredTexts } from './texts.ts'

/**
 * Returns the accounts that may have written what the next revision of a stack refers to: the one
 * that saves it, and those that saved before it since a deploy judged all of the files. Otherwise
 * an edit by someone with more rights would hide what the others wrote.
 *
 * @param before the texts of the newest revision
 */
export async function saversAfter(
  stack: StackRecord,
  before: StoredTexts,
  by: Saver,
  ports: LoadPorts,
): Promise<Saver[]> {
  const earlier = (stack.files.savedBy ?? []).filter(({ id }) => id !== by.id)
  const isJudged = earlier.length === 0 || (await wasJudged(stack, before, ports))
  return isJudged ? [by] : [...earlier, by]
}

/** Returns whether the last deploy used every overlay and service of the newest revision. */
async function wasJudged(
  stack: StackRecord,
  texts: StoredTexts,
  ports: LoadPorts,
): Promise<boolean> {
  const { environment, profiles, contentRevision } = stack
  if (deployedRevisionOf(stack) !== contentRevision) return false
  if (Object.keys(texts.overlays).some((name) => name !== environment)) return false
  const reading = { environment, profiles, reach: 'host' as const }
  const loaded = await loadTexts(stack, texts, reading, ports).catch(
    ignoreFailure('load what was deployed'),
  )
  return loaded !== undefined && Object.keys(loaded.project.disabled_services).length === 0
}
