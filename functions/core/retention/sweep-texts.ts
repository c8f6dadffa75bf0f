import type { Needs } from '../ports/ports.ts'
import type { TextMark } from '../ports/text-marks.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { isLink } from '../records/stack-tree.ts'
import { readTree } from '../stacks/tree.ts'

export type TextSweepPorts = Needs<'textMarks' | 'texts' | 'stacks' | 'deployments' | 'clock'>

const day = 86_400_000
/**
 * Milliseconds that a new text may be without a reference: the record that refers to it is written
 * after it.
 */
export const textGrace = day
/** Milliseconds that a text must be without a reference, over two sweeps, before it is removed. */
export const unusedGrace = day
/** Texts or deployments per page, and the milliseconds of the pause after each page. */
const pageSize = 100
const pause = 50

/**
 * Removes texts that no stack and no deployment refers to, and returns how many.
 *
 * The candidates are listed before the references are read; a text that is stored again in the
 * meantime has changed and stays. The first sweep that finds no reference only marks the text. A
 * later sweep removes it, a day after the mark at the earliest: a record that was copied from
 * another one while the first sweep was reading is seen by then.
 */
export async function sweepTexts(ports: TextSweepPorts, signal: AbortSignal): Promise<number> {
  const { textMarks, clock } = ports
  const candidates = await listCandidates(ports, signal)
  const used = await readReferences(ports, signal)
  let removed = 0
  for (const mark of candidates) {
    if (signal.aborted) break
    const decision = decide(mark, used.has(mark.digest), clock.now())
    if (decision === 'use') await textMarks.markUsed(mark, clock.now())
    if (decision === 'mark') await textMarks.markUnused(mark, clock.now())
    if (decision === 'remove' && (await textMarks.remove(mark))) removed += 1
  }
  return removed
}

/** Decides what to do with a text, by its mark and whether anything refers to it. */
export function decide(
  { storedAt, unusedSince }: TextMark,
  isUsed: boolean,
  now: number,
): 'keep' | 'use' | 'mark' | 'remove' {
  if (isUsed) return unusedSince === null ? 'keep' : 'use'
  // A mark in the future was set while the clock was ahead, so it is set again.
  if (unusedSince !== null && unusedSince <= now)
    return now - unusedSince >= unusedGrace ? 'remove' : 'keep'
  return now - storedAt >= textGrace ? 'mark' : 'keep'
}

async function listCandidates({ textMarks, clock }: TextSweepPorts, signal: AbortSignal) {
  const found: TextMark[] = []
  let after: string | undefined
  while (!signal.aborted) {
    const page = await textMarks.list(after, pageSize)
    found.push(...page)
    if (page.length < pageSize) break
    after = page.at(-1)?.digest
    await clock.sleep(pause, signal)
  }
  return found
}

/**
 * Returns the digests of every text that a stack or a deployment refers to, and of the contents
 * that its manifests list. Throws if any of them cannot be read: without a manifest nothing is
 * known about the contents in it.
 */
async function readReferences(ports: TextSweepPorts, signal: AbortSignal): Promise<Set<string>> {
  const used = new Set<string>()
  const add = async (files: Partial<StackFiles> | null) => {
    const manifest = files?.tree
    const isFollowed = manifest === undefined || used.has(manifest)
    for (const digest of digestsOf(files)) used.add(digest)
    if (isFollowed) return
    for (const digest of await contentsOf(manifest, ports)) used.add(digest)
  }
  for (const stack of await ports.stacks.list()) {
    await add(stack.files)
    await add(stack.written)
    for (const { files } of stack.earlier ?? []) await add(files)
    for (const { files } of Object.values(stack.builds ?? {})) await add(files)
    for await (const { files } of deploymentsOf(stack.id, ports, signal)) await add(files)
  }
  // A stack that is being removed may have no record any more, but its deployment still runs.
  for (const { files } of await ports.deployments.listRunning()) await add(files)
  signal.throwIfAborted()
  return used
}

async function* deploymentsOf(stack: string, ports: TextSweepPorts, signal: AbortSignal) {
  const ids = await ports.deployments.listIds(stack)
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    const deployment = await ports.deployments.find(stack, id)
    if (deployment) yield deployment
    if (index % pageSize === pageSize - 1) await ports.clock.sleep(pause, signal)
  }
}

/** Returns the digests in a set of files, without those in its manifest. */
function digestsOf(files: Partial<StackFiles> | null): string[] {
  const { compose, env, overlays = {}, others = {}, tree, envLayer, shared } = files ?? {}
  const parts = [envLayer?.own, envLayer?.source, shared?.variables]
  const further = [...Object.values(overlays), ...Object.values(others)]
  const named = [compose, env, tree, ...parts, ...further]
  return named.flatMap((reference) => (reference ? digestOf(reference) : []))
}

/** Returns the digests of the contents in a manifest. */
async function contentsOf(manifest: string, ports: TextSweepPorts): Promise<string[]> {
  const tree = await readTree({ tree: manifest, others: {} }, ports)
  return Object.values(tree).flatMap((entry) => (isLink(entry) ? [] : digestOf(entry.digest)))
}

/** A reference to a file that is not a text has its format after a semicolon. */
const digestOf = (reference: string) => reference.split(';')[0] || []
