import { isUtf8 } from 'node:buffer'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink, type TreeEntry } from '../records/stack-tree.ts'
import type { TextPair, TextSide } from '../records/text-pair.ts'
import { isSecretAt } from '../stacks/is-secret.ts'
import { allFiles } from '../stacks/texts.ts'
import { entryAt, sizeOf } from '../stacks/tree.ts'
import { compareSides, type FileChange } from './compare-sides.ts'
import { openSide, type Side, type SidePorts } from './sides.ts'

/** A file that differs, as a caller sees it. */
export interface FileDiff {
  path: string
  change: FileChange['change']
  /** Null if it is not shown. */
  diff: string | null
  /** Why it is not shown: the content is secret or binary, or it or all diffs are too large. */
  hidden: 'secret' | 'binary' | 'large' | null
}

export interface DiffRequest {
  from: string
  to: string
  /** The caller may read secret files. */
  readsSecrets: boolean
}

/** Bytes of a file that is compared by its lines. */
const fileBytesMax = 1024 * 1024
/** Characters of all diffs of a response, and the number of files that are compared by lines. */
const charactersMax = 4 * 1024 * 1024
const filesMax = 500
/** Files that one question to the worker has, and their bytes. */
const batchMax = 4
const batchBytesMax = 2 * 1024 * 1024

/**
 * Returns the files that differ between two states of a stack, sorted by path, with unified diffs.
 *
 * @throws 400 or 404 if a side does not exist, and what the Engine throws if one is the host
 */
export async function diffStack(
  stack: StackRecord,
  { from, to, readsSecrets }: DiffRequest,
  ports: SidePorts & Needs<'composer'>,
): Promise<FileDiff[]> {
  const [one, other] = await Promise.all([openSide(from, stack, ports), openSide(to, stack, ports)])
  const isOfHost = !one.tree || !other.tree
  const written = isOfHost && stack.written ? await allFiles(stack.written, stack, ports) : {}
  const engine = () => ports.engines.on(stack.hostId)
  const changes = await compareSides(one, other, { stack, written, engine })
  const now = changes.length > 0 ? await allFiles(stack.files, stack, ports) : {}
  const isSecret = ({ path, before, after }: FileChange) =>
    isSecretAt(path, [before, after, entryAt(now, path)], [one.files, other.files, stack.files])
  const shown = changes.map((change): Shown => {
    const hidden = !readsSecrets && isSecret(change) ? 'secret' : isLarge(change) ? 'large' : null
    return { ...change, diff: null, hidden }
  })
  await addDiffs(shown, [one, other], isOfHost, ports)
  return shown.map(({ path, change, diff, hidden }) => ({ path, change, diff, hidden }))
}

type Shown = FileChange & FileDiff

const isLarge = ({ before, after }: FileChange) =>
  [before, after].some((entry) => entry && sizeOf(entry) > fileBytesMax)

/** Compares the contents of the files that may be shown, a few at a time. */
async function addDiffs(
  all: Shown[],
  [from, to]: [Side, Side],
  isOfHost: boolean,
  ports: Needs<'composer'>,
): Promise<void> {
  const open = all.filter(({ hidden }) => hidden === null)
  for (const one of open.slice(filesMax)) one.hidden = 'large'
  let left = charactersMax
  for (const batch of inBatches(open.slice(0, filesMax))) {
    const pairs: { one: Shown; pair: TextPair }[] = []
    for (const one of batch) {
      if (left <= 0) one.hidden = 'large'
      const pair = left > 0 ? await pairOf(one, from, to, isOfHost) : undefined
      if (pair) pairs.push({ one, pair })
    }
    if (pairs.length === 0) continue
    const diffs = await compared(
      pairs.map(({ pair }) => pair),
      ports,
    )
    for (const [index, { one }] of pairs.entries()) {
      const diff = diffs[index] ?? null
      left -= diff?.length ?? 0
      if (diff === null || left < 0) one.hidden = 'large'
      else one.diff = diff
    }
  }
}

/** Returns the diffs; none if the files take too much time or memory to compare. */
async function compared(pairs: TextPair[], { composer }: Needs<'composer'>) {
  try {
    return await composer.diff(pairs)
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 422) throw error
    return pairs.map(() => null)
  }
}

/** Reads both sides of a file. Returns undefined, and says why, if they cannot be compared. */
async function pairOf(
  one: Shown,
  from: Side,
  to: Side,
  isOfHost: boolean,
): Promise<TextPair | undefined> {
  const { path } = one
  const [before, after] = await Promise.all([
    one.before ? from.read(path) : undefined,
    one.after ? to.read(path) : undefined,
  ])
  const contents = [before, after].filter((content) => content !== undefined)
  if (contents.some(({ length }) => length > fileBytesMax)) one.hidden = 'large'
  else if (!contents.every(isText)) one.hidden = 'binary'
  if (one.hidden !== null) return undefined
  return {
    path,
    before: sideOf(before, one.before, isOfHost),
    after: sideOf(after, one.after, isOfHost),
  }
}

function sideOf(
  content: Uint8Array | undefined,
  entry: TreeEntry | undefined,
  isOfHost: boolean,
): TextSide | null {
  if (!content || !entry) return null
  return { text: Buffer.from(content).toString('utf8'), mode: isOfHost ? null : modeOf(entry) }
}

/** Returns the mode of a file as Git writes it. */
const modeOf = (entry: TreeEntry): string =>
  isLink(entry) ? '120000' : `100${entry.mode.toString(8).padStart(3, '0')}`

const isText = (content: Uint8Array) => isUtf8(content) && !content.includes(0)

function* inBatches(all: readonly Shown[]): Generator<Shown[]> {
  let [batch, bytes]: [Shown[], number] = [[], 0]
  for (const one of all) {
    const size = [one.before, one.after].reduce(
      (sum, entry) => sum + (entry ? sizeOf(entry) : 0),
      0,
    )
    if (batch.length >= batchMax || (batch.length > 0 && bytes + size > batchBytesMax)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(one)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
