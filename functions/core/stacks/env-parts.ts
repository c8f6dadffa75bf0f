import { attempt, Problem } from '../../compose/yaml/problem.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { EnvLayer, StackFiles } from '../records/stack-files.ts'
import type { StackSource } from '../records/stack-source.ts'
import {
  type EnvParts,
  type EnvVariable,
  envVariables,
  joinEnv,
  keptEnv,
  newlyMixed,
  overShared,
} from './env-layer.ts'
import { readShared } from './taken-sets.ts'

/** The `.env` of a stack after a change, and its parts. */
export interface LayeredEnv {
  env: string | null
  parts: EnvParts
  /** The file has values that the author of the change did not write. */
  isMixed: boolean
  /** The variables in which the author of the change put such values. */
  mixed: ReadonlySet<string>
}

/** A change of the `.env` of a stack that follows a source. */
interface EnvChange {
  /** The text of the file before. */
  before: string | null
  /** The text that a user writes, or that the source has; null if it is deleted or missing. */
  written: string | null
  /** It is that of the source. */
  isOfSource: boolean
}

/**
 * Returns whether a sync has told the parts of a `.env` apart. Parts from an earlier binding say
 * nothing of the source that the stack follows now.
 */
const isToldApart = ({ files, source }: Pick<StackRecord, 'files' | 'source'>): boolean =>
  files.envLayer !== undefined && Boolean(source?.synced)

/**
 * Returns the two parts of the `.env` of a stack that follows a source. What was there before the
 * first sync is kept here, and so is a whole file that an earlier version kept, until the next
 * sync says which of its values the source has.
 *
 * @param env the text of the file
 */
export async function envPartsOf(
  stack: Pick<StackRecord, 'files' | 'source'>,
  env: string | null,
  { texts }: Needs<'texts'>,
): Promise<EnvParts> {
  const { source } = stack
  const { envLayer } = stack.files
  if (envLayer && isToldApart(stack)) {
    const read = (digest: string | null) => (digest === null ? null : texts.get(digest))
    const [own, theirs] = await Promise.all([read(envLayer.own), read(envLayer.source)])
    return { own, source: theirs }
  }
  const isOwn = !source?.synced || source.kept.includes('.env')
  return isOwn ? { own: env, source: null } : { own: null, source: env }
}

/**
 * Returns the variables of the `.env` of a stack and those that it takes from sets. Undefined if it
 * follows no source and takes no set, or if the file cannot be read, which its next deploy says.
 *
 * @param env the text of the file
 */
export async function envVariablesOf(
  stack: Pick<StackRecord, 'files' | 'source'>,
  env: string,
  ports: Needs<'texts'>,
): Promise<EnvVariable[] | undefined> {
  const { shared } = stack.files
  if (!stack.source && !shared) return undefined
  const parts = await envPartsOf(stack, env, ports)
  const { variables } = shared ? await readShared(shared, ports) : { variables: {} }
  const all = () => overShared(envVariables(parts), variables)
  return attempt<EnvVariable[] | undefined>(all, ignoreProblem, undefined)
}

/** Other parts of the service report it. */
const ignoreProblem = () => {}

/**
 * Returns the `.env` of a stack that follows a source after a change: what a user writes is a layer
 * of variables over the file of the source.
 */
export async function layerEnv(
  stack: Pick<StackRecord, 'files' | 'source'>,
  change: EnvChange,
  ports: Needs<'texts'>,
): Promise<LayeredEnv> {
  const before = await envPartsOf(stack, change.before, ports)
  const { written } = change
  try {
    const parts = change.isOfSource
      ? partsOfSync(before, written, !isToldApart(stack))
      : partsOfEdit(before, written)
    const isMixed = change.isOfSource ? parts.own !== null : parts.source !== null
    const mixed = newlyMixed(before, parts, change.isOfSource ? 'source' : 'own')
    return { env: joinEnv(parts), parts, isMixed, mixed }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The check of the files that follows says what is wrong with it.
    const part = change.isOfSource ? 'source' : 'own'
    const parts: EnvParts = { ...before, [part]: written }
    return { env: written, parts, isMixed: false, mixed: new Set() }
  }
}

/**
 * Returns the parts after a sync.
 *
 * @param isWhole a whole file was kept: what the source has with the same value is not kept. Later,
 *   a push that has the same value by chance or guess must not uncover a variable for the next one
 */
function partsOfSync({ own }: EnvParts, source: string | null, isWhole: boolean): EnvParts {
  const isCompared = isWhole && own !== null && source !== null
  return { own: isCompared ? keptEnv(own, { source, own: null }) : own, source }
}

const partsOfEdit = (before: EnvParts, written: string | null): EnvParts => ({
  own: written === null || before.source === null ? written : keptEnv(written, before),
  source: before.source,
})

/** Stores the parts and returns their digests. */
export async function storeEnvParts(
  { own, source }: EnvParts,
  { texts }: Needs<'texts'>,
): Promise<EnvLayer> {
  const put = (text: string | null) => (text === null ? null : texts.put(text))
  const [ownDigest, sourceDigest] = await Promise.all([put(own), put(source)])
  return { own: ownDigest, source: sourceDigest }
}

/** Returns the files with the parts of their `.env`, which stand last: equal files, equal texts. */
export function withEnvLayer(files: StackFiles, layer: EnvLayer | undefined): StackFiles {
  const { envLayer: _, ...others } = files
  return layer ? { ...others, envLayer: layer } : others
}

/** Returns how a stack follows its source, with `.env` among the kept files if some of it is. */
export function withKeptEnv(source: StackSource, { own }: EnvParts): StackSource {
  const kept = source.kept.filter((path) => path !== '.env')
  return { ...source, kept: own === null ? kept : [...kept, '.env'].sort() }
}
