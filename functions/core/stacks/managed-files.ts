import { isDeepStrictEqual } from 'node:util'
import { ownEntry } from '../../compose/lookup.ts'
import { conflict } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackSource } from '../records/stack-source.ts'
import { shownPath } from './file-path.ts'
import { hasSecretName } from './secret-paths.ts'
import { type StackTexts, type StoredTexts, textsByPath } from './texts.ts'

/** The most files of a stack that can be kept here beside those of its source. */
export const keptMax = 500

interface Edit {
  before: StoredTexts
  after: StackTexts
  /** What the compose files call secret, and what was secret before. */
  secrets: ReadonlySet<string>
}

/**
 * Returns how a stack follows its source after a user changed files, or undefined if it follows
 * none. A user can only change files that are kept here: `.env`, secret files, and those that the
 * source did not have at first. A file that is deleted is taken from the source again. Which
 * variables of `.env` are kept is decided by `layerEnv`.
 *
 * @throws 409 if a file is that of the source
 */
export function sourceAfter(
  stack: Pick<StackRecord, 'id' | 'composeFiles' | 'source'>,
  { before, after, secrets }: Edit,
): StackSource | undefined {
  const { source } = stack
  if (!source) return undefined
  const kept = new Set(source.kept)
  const [was, is] = [before, after].map((texts) => filesOf(texts, stack)) as [Files, Files]
  let isFreed = false
  for (const path of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const now = ownEntry(is, path)
    if (isDeepStrictEqual(ownEntry(was, path), now)) continue
    if (!kept.has(path) && !secrets.has(path) && !hasSecretName(path)) {
      throw managedBySource(stack.id, path, source)
    }
    if (now !== undefined) {
      kept.add(path)
      continue
    }
    // It may also be a file of the source itself that was never kept, such as its `.env`.
    kept.delete(path)
    isFreed = true
  }
  if (kept.size > keptMax) throw conflict(tooManyKept(stack.id, kept.size), { reason: 'limit' })
  return {
    ...source,
    kept: [...kept].sort(),
    ...(isFreed && { comparedRevision: null, isFreed }),
  }
}

/** Says that more files are kept here than can be. */
export const tooManyKept = (stack: string, count: number): string =>
  `stack ${stack}: it would keep ${count} files beside those of its source, more than ${keptMax}: delete some, or add them to the source`

type Files = Record<string, unknown>

const filesOf = (texts: StackTexts, stack: Pick<StackRecord, 'composeFiles'>): Files =>
  Object.fromEntries([...Object.entries(texts.tree), ...Object.entries(textsByPath(texts, stack))])

const managedBySource = (stack: string, path: string, { source }: StackSource) =>
  conflict(
    `${shownPath(path)}: the files of stack ${stack} are those of its source ${source}: change it there, or unbind the stack with \`cli stacks source unset ${stack}\``,
    { reason: 'managed-by-source' },
  )
