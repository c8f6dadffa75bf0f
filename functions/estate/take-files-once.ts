import { Failure, unprocessable } from '../core/errors.ts'
import { askForSync } from '../core/sources/stack-source-record.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { readTexts } from '../core/stacks/texts.ts'
import getBinding from '../stacks/source/get.ts'
import syncSource from '../stacks/source/sync.ts'
import type { PortsOf } from './do-steps.ts'
import type { Send } from './send-request.ts'
import { composeBeforeSource } from './stack-things.ts'

export type TakePorts = PortsOf<typeof syncSource> & PortsOf<typeof getBinding>

interface Context {
  send: Send<TakePorts>
  ports: TakePorts
}

/**
 * Lets stacks that were just bound take the files of their sources. Each source is looked at and
 * read once for all of its stacks.
 *
 * @param bound the sources by the names of the stacks
 * @returns why a stack has no files yet, by its name; those that have them are left out
 */
export async function takeFilesOnce(
  bound: ReadonlyMap<string, string>,
  context: Context,
): Promise<ReadonlyMap<string, Failure>> {
  const failures = new Map<string, Failure>()
  for (const source of new Set(bound.values())) {
    const stacks = [...bound].flatMap(([name, one]) => (one === source ? [name] : []))
    const failure = await failureOf(() => syncAll(stacks, context))
    for (const name of stacks) {
      const own = failure ?? (await failureOf(() => requireFiles(name, context)))
      if (own) failures.set(name, own)
    }
  }
  return failures
}

/** Syncs stacks of one source. A sync of one takes what the others asked for too. */
async function syncAll(
  [first, ...others]: readonly string[],
  { send, ports }: Context,
): Promise<void> {
  for (const name of others) await askForSync(name, ports)
  if (first === undefined) return
  await send('POST /stacks/{name}/source/sync', syncSource, { path: { name: first } })
}

/** @throws 422 if a stack does not have the files of its source */
async function requireFiles(name: string, { send, ports }: Context): Promise<void> {
  const { compose } = await readTexts((await getStack(name, ports)).files, ports)
  if (compose !== composeBeforeSource) return
  const binding = await send('GET /stacks/{name}/source', getBinding, { path: { name } })
  const { last_error: error } = binding as { last_error: { message: string } | null }
  const why = error?.message ?? 'they are taken with its next look'
  throw unprocessable(`its files were not taken from the source yet: ${why}`, {
    reason: 'source-refused',
  })
}

async function failureOf(work: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
